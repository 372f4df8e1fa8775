package io.probelet.fleet.ui;

import static io.probelet.fleet.ui.FleetWords.text;

import io.probelet.fleet.FleetContainers;
import io.probelet.fleet.FleetContainers.Row;
import io.probelet.fleet.FleetContainers.Unanswered;
import io.probelet.fleet.RecentContainers.Round;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import io.probelet.web.page.PageTable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The unhealthy containers of the cluster, worst first, and nodes that did not answer. */
final class UnhealthyContainers {
  private static final int SOME_ROWS = 12;
  private static final int MAX_UNANSWERED = 20;

  private UnhealthyContainers() {}

  /** {@return the worst containers, for the first page} */
  static Fragment some(Optional<Round> round, Instant now) {
    return new Fragment("unwell", round, () -> html(round, now));
  }

  private static Html html(Optional<Round> round, Instant now) {
    Html section = new Html().open("section", "id", "unwell").element("h2", "Unhealthy containers");
    if (round.isEmpty()) {
      return section.element("p", "Asking the agents …").close("section");
    }
    Optional<FleetContainers> answer = round.get().answer();
    if (answer.isEmpty()) {
      return section
          .open("p")
          .add(new FleetWords.Shown("?", "unknown", "Unknown:").html())
          .text(" the agents could not be asked: " + FleetWords.brief(round.get().failure()))
          .close("p")
          .close("section");
    }
    FleetContainers containers = answer.get();
    section.open("p");
    if (!containers.complete()) {
      section.add(new FleetWords.Shown("?", "unknown", "Incomplete:").html()).text(" ");
    }
    section.text(containers.summary() + ", ").add(FleetWords.time(round.get().at(), now));
    section.close("p");
    List<Row> rows = containers.containers();
    if (!rows.isEmpty()) {
      section.add(table(rows.subList(0, Math.min(SOME_ROWS, rows.size()))));
    }
    int more = rows.size() + containers.more() - Math.min(SOME_ROWS, rows.size());
    if (more > 0 || !containers.unanswered().isEmpty()) {
      String words =
          more > 0 ? "and %s more".formatted(FleetWords.count(more)) : "nodes without an answer";
      section.open("p").element("a", words, "href", "containers").close("p");
    }
    return section.close("section");
  }

  /** {@return a table of unhealthy containers} */
  static Html table(List<Row> rows) {
    PageTable table =
        new PageTable(
            "Unhealthy containers, worst first", "Container", "State", "Cause", "Restarts", "Node");
    rows.forEach(row ->
        table.row(
            text(row.namespace() + "/" + row.pod() + " " + row.container()),
            new FleetWords.Shown("✕", "failed", row.state()).html(),
            text(row.cause()),
            text(String.valueOf(row.restartCount())),
            FleetWords.node(row.node())));
    return table.html();
  }

  /** {@return the nodes whose agent gave no answer; empty for none} */
  static Html unanswered(List<Unanswered> nodes) {
    if (nodes.isEmpty()) {
      return new Html();
    }
    Html list = new Html().element("h2", "No answer").open("ul");
    nodes.stream()
        .limit(MAX_UNANSWERED)
        .forEach(each ->
            list.open("li").add(FleetWords.node(each.node())).text(": " + each.why()).close("li"));
    if (nodes.size() > MAX_UNANSWERED) {
      list.element("li", "and %d more".formatted(nodes.size() - MAX_UNANSWERED));
    }
    return list.close("ul");
  }
}
