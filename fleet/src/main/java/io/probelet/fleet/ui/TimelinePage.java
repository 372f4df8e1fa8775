package io.probelet.fleet.ui;

import static io.probelet.fleet.ui.FleetWords.text;

import io.probelet.fleet.FleetRemediation;
import io.probelet.fleet.FleetView;
import io.probelet.nodehealth.simulation.Timeline;
import io.probelet.rehearsal.simulate.TimelineDrawing;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import io.probelet.web.page.PageQuery;
import io.probelet.web.page.PageTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Supplier;

/** Remediations in progress and of the past: each node's escalation, step by step. */
final class TimelinePage implements UiPage.Content {
  private static final int MAX_NODES = 60;
  private static final int MAX_PAST = 100;

  private final Supplier<FleetView> fleet;

  /** Creates the page. */
  TimelinePage(Supplier<FleetView> fleet) {
    this.fleet = fleet;
  }

  @Override
  public String title(PageQuery query) {
    return "Timeline of remediations";
  }

  @Override
  public List<Fragment> fragments(Map<String, List<String>> query) {
    FleetView view = fleet.get();
    List<Fragment> fragments = new ArrayList<>();
    fragments.add(
        new Fragment("drawing", List.of(view.remediations(), view.waits()), () -> drawing(view)));
    fragments.add(new Fragment("now", view.remediations(), () -> now(view)));
    if (!view.past().isEmpty()) {
      fragments.add(new Fragment("past", view.past(), () -> past(view)));
    }
    return fragments;
  }

  private static Html drawing(FleetView view) {
    Timeline timeline = RemediationTimeline.of(view);
    return new Html()
        .open("section", "id", "drawing")
        .open("p")
        .text("Unhealthy nodes, from ")
        .add(FleetWords.time(view.time().minus(timeline.length()), view.time()))
        .text(" to now. Nodes with the same course share a lane.")
        .close("p")
        .openScrolled("Drawing of the timeline")
        .add(TimelineDrawing.of(timeline))
        .close("div")
        .close("section");
  }

  private static Html now(FleetView view) {
    Html section = new Html().open("section", "id", "now").element("h2", "In progress");
    SequencedMap<String, List<FleetRemediation>> nodes = new LinkedHashMap<>();
    view.remediations()
        .forEach(each -> nodes.computeIfAbsent(each.node(), _ -> new ArrayList<>()).addFirst(each));
    if (nodes.isEmpty()) {
      return section.element("p", "No remediation in progress.").close("section");
    }
    PageTable table =
        new PageTable(
            "Nodes with their steps, newest remediation first", "Node", "Steps", "Next step");
    nodes.entrySet().stream()
        .limit(MAX_NODES)
        .forEach(node ->
            table.row(
                FleetWords.node(node.getKey()),
                steps(node.getValue(), view.time()),
                TroubleSections.next(node.getValue().getLast(), view.time())));
    section.add(table.html());
    if (nodes.size() > MAX_NODES) {
      section.element("p", "and %s more".formatted(FleetWords.count(nodes.size() - MAX_NODES)));
    }
    return section.close("section");
  }

  private static Html steps(List<FleetRemediation> remediations, Instant now) {
    Html steps = new Html().open("ol", "class", "steps");
    remediations.stream()
        .limit(TroubleSections.MAX_ROWS)
        .forEach(each ->
            steps
                .open("li")
                .text(each.kind() + " ")
                .add(FleetWords.of(each.state()).html())
                .text(", step " + TroubleSections.step(each) + ", began ")
                .add(FleetWords.time(each.started(), now))
                .text(each.message().isEmpty() ? "" : ": " + FleetWords.brief(each.message()))
                .close("li"));
    return steps.close("ol");
  }

  private static Html past(FleetView view) {
    PageTable table =
        new PageTable("Recorded by policies, newest first", "Node", "Began", "Remediation");
    view.past().stream()
        .limit(MAX_PAST)
        .forEach(past ->
            table.row(
                FleetWords.node(past.node()),
                FleetWords.time(past.started(), view.time()),
                text(past.kind())));
    Html section = new Html().open("section", "id", "past").element("h2", "Past").add(table.html());
    if (view.past().size() > MAX_PAST) {
      section.element(
          "p", "and %s before".formatted(FleetWords.count(view.past().size() - MAX_PAST)));
    }
    return section.close("section");
  }
}
