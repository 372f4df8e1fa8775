package io.probelet.fleet.ui;

import io.probelet.fleet.FleetView;
import io.probelet.fleet.RecentContainers;
import io.probelet.fleet.ui.simulate.PlayedCluster;
import io.probelet.fleet.ui.simulate.SimulatePage;
import io.probelet.fleet.ui.simulate.TapePlayer;
import io.probelet.health.TimeSource;
import io.probelet.web.http.Resource;
import io.probelet.web.page.Asset;
import io.probelet.web.page.Html;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All pages of the cluster, by path relative to the first page. */
public final class UiPages {
  private UiPages() {}

  /**
   * Puts the pages together.
   *
   * @param agents asks single agents
   * @param tape what else is simulated; null if there is none
   */
  public static Map<String, Resource> of(
      Supplier<FleetView> fleet,
      AgentPage.Agents agents,
      PlayedCluster played,
      @Nullable TapePlayer tape,
      TimeSource time) {
    return of(fleet, agents, played, tape, "", time);
  }

  /**
   * Puts the pages together.
   *
   * @param agents asks single agents
   * @param tape what else is simulated; null if there is none
   * @param notice what every page says above all else; empty for nothing
   */
  public static Map<String, Resource> of(
      Supplier<FleetView> fleet,
      AgentPage.Agents agents,
      PlayedCluster played,
      @Nullable TapePlayer tape,
      String notice,
      TimeSource time) {
    SequencedMap<String, String> menu = new LinkedHashMap<>();
    menu.put("", "Fleet");
    menu.put("nodes", "Nodes");
    menu.put("containers", "Containers");
    menu.put("timeline", "Timeline");
    menu.put("simulate", "Simulate");
    UiPage page = new UiPage(menu, fleet, notice, time);
    RecentContainers containers =
        new RecentContainers(
            fleet,
            agents::containers,
            round -> Thread.ofVirtual().name("fleet-containers").start(round),
            time);
    Map<String, Resource> pages = new LinkedHashMap<>();
    page.add(pages, "", new OverviewPage(fleet, containers));
    page.add(pages, "nodes", new NodesPage(fleet));
    page.add(pages, "node", new FleetNodePage(fleet));
    page.add(pages, "timeline", new TimelinePage(fleet));
    pages.put("agent", new AgentPage(agents, page));
    pages.put("containers", new ContainersPage(fleet, agents::containers, page));
    SimulatePage simulate = new SimulatePage(played, tape);
    pages.put(
        "simulate",
        query ->
            page.document(
                "simulate",
                "Simulate",
                new Html().open("main").add(simulate.content(query)).close("main")));
    for (String asset :
        new String[] {"page.css", "fleet.css", "timeline.css", "page.js", "icon.svg"}) {
      pages.put(asset, Asset.of(asset));
    }
    return pages;
  }
}
