package io.probelet.fleet.ui;

import io.probelet.fleet.FleetGap;
import io.probelet.fleet.FleetGroup;
import io.probelet.fleet.FleetView;
import io.probelet.fleet.RecentContainers;
import io.probelet.fleet.RecentContainers.Round;
import io.probelet.web.http.Resource.BadRequest;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import io.probelet.web.page.PageQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The first page: the verdict, what is broken and why, and the map. */
final class OverviewPage implements UiPage.Content {
  private final Supplier<FleetView> fleet;
  private final RecentContainers containers;

  /** Creates the page. */
  OverviewPage(Supplier<FleetView> fleet, RecentContainers containers) {
    this.fleet = fleet;
    this.containers = containers;
  }

  @Override
  public String title(PageQuery query) {
    return "Fleet";
  }

  /** By which label the map groups. */
  @Override
  public Html above(PageQuery query) throws BadRequest {
    List<String> labels = FleetGroup.labels(fleet.get().nodes());
    String chosen = chosen(query, labels);
    Html form =
        new Html()
            .open("form", "class", "filter", "action", "./", "method", "get", "data-filter", "")
            .open("label")
            .text("Map by label")
            .open("select", "name", "by");
    if (!labels.contains(chosen)) {
      form.option(chosen, chosen, true);
    }
    labels.forEach(
        label -> form.option(label, label.isEmpty() ? "(none)" : label, label.equals(chosen)));
    return UiPage.endOfForm(form.close("select").close("label"));
  }

  private static String chosen(PageQuery query, List<String> labels) throws BadRequest {
    String given = query.text("by");
    return given.isEmpty() && !labels.isEmpty() ? labels.getFirst() : given;
  }

  @Override
  public List<Fragment> fragments(Map<String, List<String>> values) throws BadRequest {
    FleetView view = fleet.get();
    String label = chosen(new PageQuery(values), FleetGroup.labels(view.nodes()));
    List<Fragment> fragments = new ArrayList<>();
    Optional<Round> round = containers.latest();
    fragments.add(ClusterSections.summary(view, round));
    fragments.add(UnhealthyContainers.some(round, view.time()));
    // First only where the verdict is unknown for that reason.
    List<Fragment> unknown = ClusterSections.unknown(view);
    boolean essential = view.gaps().stream().anyMatch(FleetGap::essential);
    if (essential) {
      fragments.addAll(unknown);
    }
    fragments.addAll(TroubleSections.remediation(view));
    fragments.add(map(view, label));
    fragments.addAll(TroubleSections.nodes(view));
    fragments.addAll(ClusterSections.details(view));
    if (!essential) {
      fragments.addAll(unknown);
    }
    return fragments;
  }

  /**
   * Of a node the map shows its group and its state, so that nothing else is a reason to redraw.
   */
  private static Fragment map(FleetView view, String label) {
    List<FleetGroup> groups = FleetGroup.by(view.nodes(), label);
    List<Object> version = new ArrayList<>();
    version.add(label);
    groups.forEach(group -> {
      version.add(group.value());
      version.add(group.counts());
      FleetMap.bad(group).forEach(node -> version.add(node.name()));
    });
    return new Fragment("map", version, () -> FleetMap.of(label, groups));
  }
}
