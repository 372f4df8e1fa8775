package io.probelet.fleet.ui;

import io.probelet.fleet.FleetContainers;
import io.probelet.fleet.FleetContainers.Extent;
import io.probelet.fleet.FleetView;
import io.probelet.web.http.Resource;
import io.probelet.web.page.Html;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** All unhealthy containers of the cluster's nodes. Loading the page asks the agents. */
final class ContainersPage implements Resource {
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
    FleetContainers answer = FleetContainers.ask(fleet.get(), agents, Extent.WORST);
    Html body =
        new Html()
            .open("main")
            .element("p", answer.summary() + ". Load the page again to ask again.");
    if (!answer.containers().isEmpty()) {
      body.add(UnhealthyContainers.table(answer.containers()));
    }
    if (answer.more() > 0) {
      body.element("p", "and %s more".formatted(FleetWords.count(answer.more())));
    }
    body.add(UnhealthyContainers.unanswered(answer.unanswered()));
    return page.document("containers", "Unhealthy containers", body.close("main"));
  }
}
