package io.probelet.web.page.node;

import io.probelet.health.ShortText;
import io.probelet.web.api.NodeView;
import io.probelet.web.api.NodeView.EventView;
import io.probelet.web.api.NodeView.Source;
import io.probelet.web.page.Ago;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import io.probelet.web.page.OutcomeStrip.Mark;
import io.probelet.web.page.PageTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The node's half of its page: its conditions, monitors that do not work, the newest events and the
 * agent itself. The data may come from a hostile agent: every list and text is bounded.
 */
public final class NodeSection {
  /** Of events, monitors and the like. */
  static final int MAX_ROWS = 100;

  private static final int MAX_TEXT = 1_024;

  private NodeSection() {}

  /** {@return the node as fragments, in order; without any if there is nothing to show} */
  public static List<Fragment> of(NodeView node, Instant now) {
    List<Fragment> all = new ArrayList<>(pressing(node, now));
    all.addAll(rest(node, now));
    return all;
  }

  /** {@return problems that need an operator} */
  static List<Fragment> pressing(NodeView node, Instant now) {
    List<Fragment> all = new ArrayList<>();
    agent(node, now).flatMap(AgentSection::alerts).ifPresent(all::add);
    new ConditionRows(node, now).unhealthy().ifPresent(all::add);
    return all;
  }

  /** {@return healthy conditions, monitors, events and the agent} */
  static List<Fragment> rest(NodeView node, Instant now) {
    List<Fragment> all = new ArrayList<>();
    new ConditionRows(node, now).healthy().ifPresent(all::add);
    List<Source> blind =
        node.sources().stream()
            .filter(source -> !source.trouble().isEmpty() || isUnavailable(source))
            .sorted(Comparator.comparing(NodeSection::isUnavailable))
            .toList();
    if (!blind.isEmpty()) {
      List<List<String>> version =
          blind.stream().map(each -> List.of(each.name(), each.state(), each.trouble())).toList();
      all.add(new Fragment("node-sources", version, () -> sources(blind)));
    }
    if (!node.events().isEmpty()) {
      all.add(new Fragment("node-events", node.events(), () -> events(node.events(), now)));
    }
    agent(node, now).map(AgentSection::cost).ifPresent(all::add);
    return all;
  }

  /** {@return that the node cannot be shown, and why} */
  static Fragment missing(String why) {
    return new Fragment(
        "node-missing",
        why,
        () ->
            new Html()
                .open("p", "id", "node-missing", "class", Mark.UNKNOWN.label())
                .add(Mark.UNKNOWN.html())
                .text(" Node unknown: " + cut(why))
                .close("p"));
  }

  private static Optional<AgentSection> agent(NodeView node, Instant now) {
    return Optional.ofNullable(node.agent()).map(itself -> new AgentSection(itself, now));
  }

  private static boolean isUnavailable(Source source) {
    return source.state().equals("unavailable");
  }

  private static Html sources(List<Source> blind) {
    PageTable table =
        new PageTable("Monitors and checks that do not work", "Monitor", "State", "Why");
    for (Source source : blind.subList(0, Math.min(MAX_ROWS, blind.size()))) {
      boolean fails = !isUnavailable(source);
      table
          .rows()
          .open("tr")
          .element("th", cut(source.name()), "scope", "row")
          .open(
              "td",
              "data-label",
              "State",
              "class",
              fails ? Mark.WARNING.label() : Mark.UNKNOWN.label())
          .add((fails ? Mark.WARNING : Mark.UNKNOWN).html())
          .text(" " + cut(source.state()))
          .close("td")
          .element("td", cut(source.trouble().isEmpty() ? source.reason() : source.trouble()))
          .close("tr");
    }
    Html html = begin("node-sources", "Not observed").add(table.html());
    return more(html, blind.size()).close("section");
  }

  /** Equal events are one row. */
  private record Seen(String source, String reason, String message) {
    static Seen of(EventView event) {
      return new Seen(event.source(), event.reason(), event.message());
    }
  }

  /** Newest first. */
  private static Html events(List<EventView> events, Instant now) {
    PageTable table =
        new PageTable("Events of monitors, newest first", "When", "Monitor", "Reason", "Message");
    SequencedMap<Seen, List<EventView>> equal = new LinkedHashMap<>();
    for (EventView event : events.reversed()) {
      equal.computeIfAbsent(Seen.of(event), _ -> new ArrayList<>()).add(event);
    }
    equal.values().stream()
        .limit(MAX_ROWS)
        .forEach(times -> {
          EventView event = times.getFirst();
          Html when = new Html().add(Ago.of(event.time(), now));
          if (times.size() > 1) {
            when.text(", " + times.size() + " times since ");
            when.add(Ago.of(times.getLast().time(), now));
          }
          table
              .rows()
              .open("tr")
              .open("td")
              .add(when)
              .close("td")
              .element("td", cut(event.source()), "data-label", "Monitor")
              .element("td", cut(event.reason()), "data-label", "Reason")
              .element("td", cut(event.message()))
              .close("tr");
        });
    Html html = begin("node-events", "Newest events").add(table.html());
    return more(html, equal.size()).close("section");
  }

  /** A section, with its heading. */
  static Html begin(String id, String heading) {
    return new Html()
        .open("section", "id", id, "aria-labelledby", id + "-heading")
        .element("h2", heading, "id", id + "-heading");
  }

  /** Says how many are not shown. */
  static Html more(Html html, int all) {
    return all > MAX_ROWS
        ? html.element("p", "and " + (all - MAX_ROWS) + " more", "class", "quiet")
        : html;
  }

  /** {@return the shown beginning of a text} */
  static String cut(String text) {
    return ShortText.of(text, MAX_TEXT);
  }
}
