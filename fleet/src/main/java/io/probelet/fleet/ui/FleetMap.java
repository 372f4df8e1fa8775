package io.probelet.fleet.ui;

import io.probelet.fleet.FleetGroup;
import io.probelet.fleet.FleetNode;
import io.probelet.fleet.FleetNode.State;
import io.probelet.web.page.Html;
import io.probelet.web.page.PageQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The map of the fleet: a card for each value of a label, with a bar of its nodes' states, a mark
 * for each node where there are not too many, and the names of the worst. A card leads to its
 * nodes.
 */
final class FleetMap {
  /** Cards; with more, those that are worst are shown. */
  static final int MAX_CARDS = 100;

  /** Marks in one card: more are too many for the eye, and the bar says the same. */
  static final int MAX_MARKS = 300;

  private static final int MAX_ALL_MARKS = 3_000;
  private static final int MAX_NAMES = 3;
  private static final int BAR_WIDTH = 200;
  private static final int BAR_HEIGHT = 10;

  private final String label;
  private final List<FleetGroup> groups;

  private FleetMap(String label, List<FleetGroup> groups) {
    this.label = label;
    this.groups = groups;
  }

  /**
   * Draws the map.
   *
   * @param label by which nodes are grouped; empty for one group of all
   * @return one element
   */
  static Html of(String label, List<FleetGroup> groups) {
    return new FleetMap(label, groups).draw();
  }

  private Html draw() {
    Html map = new Html().open("section", "id", "map").element("h2", "Map");
    if (groups.isEmpty()) {
      return map.element("p", "No nodes.").close("section");
    }
    map.open("ul", "class", "cards");
    boolean marks = groups.stream().mapToInt(group -> group.nodes().size()).sum() <= MAX_ALL_MARKS;
    shown().forEach(group -> card(map, group, marks));
    map.close("ul");
    if (groups.size() > MAX_CARDS) {
      map.element(
          "p",
          "and %s more groups, none worse; choose a label with fewer values"
              .formatted(FleetWords.count(groups.size() - MAX_CARDS)));
    }
    return map.close("section");
  }

  private List<FleetGroup> shown() {
    if (groups.size() <= MAX_CARDS) {
      return groups;
    }
    return groups.stream()
        .sorted(Comparator.comparing(FleetMap::worst)) // keeps the order of equals
        .limit(MAX_CARDS)
        .toList();
  }

  private static State worst(FleetGroup group) {
    return group.counts().keySet().stream().min(Comparator.naturalOrder()).orElse(State.HEALTHY);
  }

  private void card(Html map, FleetGroup group, boolean marks) {
    FleetWords.Shown worst = FleetWords.of(worst(group));
    map.open("li", "class", "card is-" + worst.style())
        .open("h3")
        .element("a", name(group), "href", link(group))
        .close("h3")
        .add(bar(group))
        .element("p", counts(group));
    int size = group.nodes().size();
    if (marks && size <= MAX_MARKS && size > 1) {
      map.add(marks(group));
    }
    List<FleetNode> bad = bad(group);
    if (!bad.isEmpty()) {
      map.open("ul", "class", "names");
      bad.forEach(node ->
          map.open("li")
              .element(
                  "span",
                  FleetWords.of(node.state()).shape(),
                  "class",
                  FleetWords.of(node.state()).style(),
                  "aria-hidden",
                  "true")
              .text(" ")
              .add(FleetWords.node(node.name()))
              .close("li"));
      map.close("ul");
    }
    map.close("li");
  }

  /** {@return the nodes of a group that are named on its card} */
  static List<FleetNode> bad(FleetGroup group) {
    return worstFirst(group.nodes().stream().filter(node -> node.state() != State.HEALTHY).toList())
        .stream()
        .limit(MAX_NAMES)
        .toList();
  }

  private String name(FleetGroup group) {
    if (label.isEmpty()) {
      return "All nodes";
    }
    return group.value().isEmpty() ? "without the label" : group.value();
  }

  private String link(FleetGroup group) {
    if (label.isEmpty()) {
      return "nodes";
    }
    String value = group.value().isEmpty() ? NodesPage.WITHOUT : group.value();
    return PageQuery.link("nodes", "by", label, "value", value);
  }

  private static String counts(FleetGroup group) {
    StringBuilder text = new StringBuilder(FleetWords.count(group.nodes().size(), "node"));
    for (State state : State.values()) {
      int count = group.counts().getOrDefault(state, 0);
      if (count > 0 && state != State.HEALTHY) {
        FleetWords.Shown shown = FleetWords.of(state);
        text.append(", ")
            .append(FleetWords.count(count))
            .append(' ')
            .append(shown.shape())
            .append(' ')
            .append(shown.word());
      }
    }
    return text.toString();
  }

  /** At least one unit wide for each state there is: one lost node of thousands is seen. */
  private static Html bar(FleetGroup group) {
    Html bar =
        new Html()
            .open(
                "svg",
                "class",
                "bar",
                "viewBox",
                "0 0 " + BAR_WIDTH + " " + BAR_HEIGHT,
                "preserveAspectRatio",
                "none",
                "aria-hidden",
                "true");
    double at = 0;
    for (State state : State.values()) {
      int count = group.counts().getOrDefault(state, 0);
      if (count > 0) {
        double width = Math.max(3, (double) BAR_WIDTH * count / group.nodes().size());
        bar.empty(
            "rect",
            "class",
            "fill-" + FleetWords.of(state).style(),
            "x",
            number(at),
            "width",
            number(width),
            "height",
            String.valueOf(BAR_HEIGHT));
        at += width;
      }
    }
    return bar.close("svg");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static Html marks(FleetGroup group) {
    Html marks = new Html().open("p", "class", "marks", "aria-hidden", "true");
    for (State state : State.values()) {
      int count = group.counts().getOrDefault(state, 0);
      if (count > 0) {
        FleetWords.Shown shown = FleetWords.of(state);
        marks.element("span", shown.shape().repeat(count), "class", shown.style());
      }
    }
    return marks.close("p");
  }

  /** {@return nodes with those that are worst first, of equals those that are it longest} */
  static List<FleetNode> worstFirst(List<FleetNode> nodes) {
    List<FleetNode> sorted = new ArrayList<>(nodes);
    sorted.sort(
        Comparator.comparing(FleetNode::state)
            .thenComparing(FleetNode::since, Comparator.nullsLast(Comparator.naturalOrder())));
    return sorted;
  }
}
