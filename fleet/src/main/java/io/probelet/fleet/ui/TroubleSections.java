package io.probelet.fleet.ui;

import static io.probelet.fleet.ui.FleetWords.text;

import io.probelet.fleet.FleetNode;
import io.probelet.fleet.FleetNode.State;
import io.probelet.fleet.FleetPast;
import io.probelet.fleet.FleetRemediation;
import io.probelet.fleet.FleetView;
import io.probelet.fleet.FleetWait;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import io.probelet.web.page.PageTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Problems: remediations held back and in progress, and unhealthy nodes. */
final class TroubleSections {
  /** Rows of one table; more are counted. */
  static final int MAX_ROWS = 40;

  /** Rows of a table that has a page of its own. */
  private static final int SOME_ROWS = 12;

  private static final int OFTEN = 2;

  private TroubleSections() {}

  /** {@return remediations held back and in progress, if there are any} */
  static List<Fragment> remediation(FleetView view) {
    List<Fragment> sections = new ArrayList<>();
    if (!view.waits().isEmpty()) {
      sections.add(new Fragment("waits", view.waits(), () -> waits(view.waits(), view.time())));
    }
    if (!view.remediations().isEmpty()) {
      sections.add(
          new Fragment(
              "work", view.remediations(), () -> remediations(view.remediations(), view.time())));
    }
    return sections;
  }

  /** {@return unhealthy nodes, and those remediated more than once, if there are any} */
  static List<Fragment> nodes(FleetView view) {
    List<Fragment> sections = new ArrayList<>();
    List<FleetNode> ill =
        view.nodes().stream().filter(node -> node.state() != State.HEALTHY).toList();
    if (!ill.isEmpty()) {
      sections.add(new Fragment("ill", ill, () -> notWell(ill, view.time())));
    }
    List<Often> often = often(view);
    if (!often.isEmpty()) {
      sections.add(new Fragment("often", often, () -> often(often, view.time())));
    }
    return sections;
  }

  /**
   * Draws what is held back.
   *
   * @return one element
   */
  static Html waits(List<FleetWait> waits, Instant now) {
    PageTable table =
        new PageTable("Remediation that is held back", "Node", "Why", "Until", "Check", "Source");
    waits.stream()
        .limit(MAX_ROWS)
        .forEach(wait ->
            table.row(
                wait.node().isEmpty() ? text("every node") : FleetWords.node(wait.node()),
                new Html().element("strong", FleetWords.brief(wait.why())),
                wait.until() == null ? text("not known") : FleetWords.time(wait.until(), now),
                text(wait.check().isEmpty() ? "–" : wait.check()),
                text(source(wait.source()))));
    return new Html()
        .open("section", "id", "waits")
        .element("h2", "Held back")
        .add(table.html())
        .add(more(waits.size(), MAX_ROWS, "nodes?state=waiting"))
        .close("section");
  }

  private static String source(FleetWait.Source source) {
    return switch (source) {
      case LEADER -> "leader";
      case RESOURCE -> "object";
      case COMPUTED -> "computed here";
    };
  }

  /**
   * Draws remediations.
   *
   * @param remediations newest first
   * @return one element
   */
  static Html remediations(List<FleetRemediation> remediations, Instant now) {
    PageTable table =
        new PageTable(
            "Remediations in progress",
            "Node",
            "State",
            "Step",
            "Remediation",
            "Began",
            "Next step",
            "Message");
    remediations.stream()
        .sorted(Comparator.comparing(FleetRemediation::state))
        .limit(MAX_ROWS)
        .forEach(each ->
            table.row(
                FleetWords.node(each.node()),
                FleetWords.of(each.state()).html(),
                text(step(each)),
                text(each.kind() + " " + each.name()),
                FleetWords.time(each.started(), now),
                next(each, now),
                says(each, now)));
    return new Html()
        .open("section", "id", "work")
        .element("h2", "In progress")
        .add(table.html())
        .add(more(remediations.size(), MAX_ROWS, "timeline"))
        .close("section");
  }

  /** {@return which step of how many, as {@code 1 of 3}} */
  static String step(FleetRemediation remediation) {
    if (remediation.step() == 0) {
      return "–";
    }
    return remediation.steps() == 0
        ? String.valueOf(remediation.step())
        : remediation.step() + " of " + remediation.steps();
  }

  /** {@return when the next step begins, or when this one timed out} */
  static Html next(FleetRemediation remediation, Instant now) {
    if (remediation.timedOut() != null) {
      return new Html().text("timed out ").add(FleetWords.time(remediation.timedOut(), now));
    }
    return remediation.deadline() == null
        ? text("none")
        : FleetWords.time(remediation.deadline(), now);
  }

  /** {@return the phase and message of its remediator} */
  static Html says(FleetRemediation remediation, Instant now) {
    Html says = new Html();
    if (!remediation.phase().isEmpty()) {
      says.element("strong", remediation.phase());
      if (remediation.phaseSince() != null) {
        says.text(" since ").add(FleetWords.time(remediation.phaseSince(), now));
      }
      says.text(" ");
    }
    return says.text(FleetWords.brief(remediation.message()));
  }

  private static Html notWell(List<FleetNode> ill, Instant now) {
    PageTable table = nodes("Unhealthy nodes, worst and longest first");
    FleetMap.worstFirst(ill).stream().limit(SOME_ROWS).forEach(node -> node(table, node, now));
    return new Html()
        .open("section", "id", "ill")
        .element("h2", "Unhealthy nodes")
        .add(table.html())
        .add(more(ill.size(), SOME_ROWS, "nodes"))
        .close("section");
  }

  /** {@return a table of nodes} */
  static PageTable nodes(String caption) {
    return new PageTable(caption, "Node", "State", "Reason", "Since", "Unhealthy at");
  }

  /** Adds a node to such a table. */
  static void node(PageTable table, FleetNode node, Instant now) {
    table.row(
        FleetWords.node(node.name()),
        FleetWords.of(node.state()).html(),
        text(
            node.problem()
                + (node.cordoned() ? (node.problem().isEmpty() ? "" : "; ") + "cordoned" : "")),
        node.since() == null ? text("") : FleetWords.time(node.since(), now),
        node.unhealthyAt() == null ? text("") : FleetWords.time(node.unhealthyAt(), now));
  }

  /** A node that was remediated more than once. */
  private record Often(String node, int times, Instant first, Instant last) {
    Often and(FleetPast past) {
      return new Often(
          node,
          times + 1,
          past.started().isBefore(first) ? past.started() : first,
          past.started().isAfter(last) ? past.started() : last);
    }
  }

  private static List<Often> often(FleetView view) {
    Map<String, Often> nodes = new TreeMap<>();
    for (FleetPast past : view.past()) {
      nodes.merge(
          past.node(),
          new Often(past.node(), 1, past.started(), past.started()),
          (before, _) -> before.and(past));
    }
    return nodes.values().stream()
        .filter(often -> often.times() >= OFTEN)
        .sorted(Comparator.comparingInt(Often::times).reversed())
        .toList();
  }

  private static Html often(List<Often> often, Instant now) {
    PageTable table =
        new PageTable("Nodes remediated more than once lately", "Node", "Times", "First", "Last");
    often.stream()
        .limit(SOME_ROWS)
        .forEach(each ->
            table.row(
                FleetWords.node(each.node()),
                text(String.valueOf(each.times())),
                FleetWords.time(each.first(), now),
                FleetWords.time(each.last(), now)));
    return new Html()
        .open("section", "id", "often")
        .element("h2", "Remediated repeatedly")
        .add(table.html())
        .add(more(often.size(), SOME_ROWS, "timeline"))
        .close("section");
  }

  /** Counts the rows that are left out, with a link to them. */
  private static Html more(int all, int shown, String link) {
    return all <= shown
        ? new Html()
        : new Html()
            .open("p")
            .element("a", "and %s more".formatted(FleetWords.count(all - shown)), "href", link)
            .close("p");
  }
}
