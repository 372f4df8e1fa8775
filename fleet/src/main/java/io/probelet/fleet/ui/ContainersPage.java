package io.probelet.fleet.ui;

import static io.probelet.fleet.ui.FleetWords.text;

import io.probelet.fleet.FleetContainers;
import io.probelet.fleet.FleetContainers.Row;
import io.probelet.fleet.FleetView;
import io.probelet.web.http.Resource;
import io.probelet.web.page.Html;
import io.probelet.web.page.PageTable;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The unhealthy containers of the cluster's nodes; their agents are asked when it is loaded. */
final class ContainersPage implements Resource {
  private static final int MAX_UNANSWERED = 20;

  private final Supplier<FleetView> fleet;
  private final FleetContainers.Agents agents;
  private final UiPage page;

  /**
   * Creates the page.
   *
   * @param agents asked at each request
   */
  ContainersPage(Supplier<FleetView> fleet, FleetContainers.Agents agents, UiPage page) {
    this.fleet = fleet;
    this.agents = agents;
    this.page = page;
  }

  @Override
  public Answer get(Map<String, List<String>> query) throws Exception {
    FleetContainers answer = FleetContainers.ask(fleet.get(), agents);
    Html body =
        new Html()
            .open("main")
            .element("p", answer.summary() + ". Load the page again to ask again.");
    if (!answer.containers().isEmpty()) {
      PageTable table =
          new PageTable(
              "Unhealthy containers by node",
              "Node",
              "Pod",
              "Container",
              "State",
              "Restarts",
              "Cause");
      answer.containers().forEach(row -> row(table, row));
      body.add(table.html());
    }
    if (answer.more() > 0) {
      body.element("p", "and %s more".formatted(FleetWords.count(answer.more())));
    }
    if (!answer.unanswered().isEmpty()) {
      body.element("h2", "No answer").open("ul");
      answer.unanswered().stream()
          .limit(MAX_UNANSWERED)
          .forEach(each ->
              body.open("li")
                  .add(FleetWords.node(each.node()))
                  .text(": " + each.why())
                  .close("li"));
      if (answer.unanswered().size() > MAX_UNANSWERED) {
        body.element("li", "and %d more".formatted(answer.unanswered().size() - MAX_UNANSWERED));
      }
      body.close("ul");
    }
    return page.document("containers", "Unhealthy containers", body.close("main"));
  }

  private static void row(PageTable table, Row row) {
    table.row(
        FleetWords.node(row.node()),
        text(row.namespace() + "/" + row.pod()),
        text(row.container()),
        new FleetWords.Shown("✕", "failed", row.state()).html(),
        text(String.valueOf(row.restartCount())),
        text(row.cause()));
  }
}
