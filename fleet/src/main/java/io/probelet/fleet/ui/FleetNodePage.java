package io.probelet.fleet.ui;

import static io.probelet.fleet.ui.FleetWords.text;

import io.probelet.fleet.FleetCheck;
import io.probelet.fleet.FleetEvent;
import io.probelet.fleet.FleetNode;
import io.probelet.fleet.FleetPast;
import io.probelet.fleet.FleetRemediation;
import io.probelet.fleet.FleetView;
import io.probelet.fleet.FleetWait;
import io.probelet.remediator.resource.KeptEvidence;
import io.probelet.web.http.Resource.BadRequest;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import io.probelet.web.page.PageQuery;
import io.probelet.web.page.PageTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** One node: its state, what is held back, its escalation, evidence, conditions and events. */
final class FleetNodePage implements UiPage.Content {
  private static final int MAX_EVENTS = 50;
  private static final int MAX_LABELS = 100;

  private final Supplier<FleetView> fleet;

  /** Creates the page. */
  FleetNodePage(Supplier<FleetView> fleet) {
    this.fleet = fleet;
  }

  /**
   * {@return the node's name}
   *
   * @throws BadRequest if none is given
   */
  static String name(PageQuery query) throws BadRequest {
    String name = query.text("name");
    if (name.isEmpty()) {
      throw new BadRequest("name is missing; use node?name=worker-1");
    }
    return name;
  }

  @Override
  public String title(PageQuery query) throws BadRequest {
    return "Node " + name(query);
  }

  @Override
  public List<Fragment> fragments(Map<String, List<String>> values) throws BadRequest {
    String name = name(new PageQuery(values));
    FleetView view = fleet.get();
    Optional<FleetNode> known = view.node(name);
    if (known.isEmpty()) {
      return List.of(
          new Fragment(
              "node",
              "unknown",
              () ->
                  new Html()
                      .open("section", "id", "node")
                      .element("p", "No such node, or not readable.")
                      .close("section")));
    }
    FleetNode node = known.get();
    List<Fragment> fragments = new ArrayList<>();
    fragments.add(new Fragment("node", node, () -> head(node, view)));
    List<FleetWait> waits = view.waitsOf(name);
    if (!waits.isEmpty()) {
      fragments.add(new Fragment("waits", waits, () -> TroubleSections.waits(waits, view.time())));
    }
    List<FleetRemediation> remediations = view.remediationsOf(name);
    escalation(view, node, remediations).ifPresent(fragments::add);
    evidence(remediations).ifPresent(fragments::add);
    fragments.add(
        new Fragment(
            "conditions",
            node.conditions(),
            () ->
                new Html()
                    .open("section", "id", "conditions")
                    .element("h2", "Conditions")
                    .add(
                        ClusterSections.conditions(
                            "Conditions of the Node object, worst first",
                            node.conditions(),
                            view.time()))
                    .close("section")));
    List<FleetEvent> events = view.eventsOf(name).stream().limit(MAX_EVENTS).toList();
    if (!events.isEmpty()) {
      fragments.add(
          new Fragment(
              "events",
              events,
              () -> ClusterSections.events("Newest events about this node", events, view.time())));
    }
    fragments.add(new Fragment("labels", node.labels(), () -> labels(node)));
    return fragments;
  }

  private static Html head(FleetNode node, FleetView view) {
    Html head =
        new Html()
            .open("section", "id", "node")
            .open("p", "class", "verdict")
            .add(FleetWords.of(node.state()).html());
    if (!node.problem().isEmpty()) {
      head.text(": " + node.problem() + " ").add(FleetWords.time(node.since(), view.time()));
    }
    head.close("p");
    if (node.unhealthyAt() != null) {
      head.open("p")
          .text("Counts as unhealthy if nothing changes: ")
          .add(FleetWords.time(node.unhealthyAt(), view.time()))
          .close("p");
    }
    head.open("p", "class", "quiet")
        .text("Created ")
        .add(FleetWords.time(node.created(), view.time()))
        .text(node.cordoned() ? "; cordoned" : "")
        .text(
            node.taints().isEmpty()
                ? "; no taints"
                : "; taints " + String.join(", ", node.taints()))
        .text(
            node.checks().isEmpty()
                ? "; no NodeHealthCheck selects it, so it is not remediated"
                : "; selected by " + String.join(", ", node.checks()))
        .close("p");
    return head.open("p")
        .element(
            "a",
            "Containers and conditions by its agent",
            "href",
            PageQuery.link("agent", "name", node.name()))
        .close("p")
        .close("section");
  }

  private static Optional<Fragment> escalation(
      FleetView view, FleetNode node, List<FleetRemediation> steps) {
    List<FleetCheck> checks =
        view.checks().stream().filter(check -> node.checks().contains(check.name())).toList();
    List<FleetPast> past =
        view.past().stream().filter(each -> each.node().equals(node.name())).toList();
    if (steps.isEmpty() && past.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Fragment(
            "escalation",
            List.of(steps, checks.stream().map(FleetCheck::steps).toList(), past),
            () -> escalation(view, steps, checks, past)));
  }

  private static Html escalation(
      FleetView view, List<FleetRemediation> steps, List<FleetCheck> checks, List<FleetPast> past) {
    Html section = new Html().open("section", "id", "escalation").element("h2", "Remediation");
    if (!steps.isEmpty()) {
      PageTable table =
          new PageTable(
              "Steps, first to last",
              "Step",
              "State",
              "Remediation",
              "Began",
              "Next step",
              "Message");
      steps.stream()
          .limit(TroubleSections.MAX_ROWS)
          .forEach(each ->
              table.row(
                  text(TroubleSections.step(each)),
                  FleetWords.of(each.state()).html(),
                  text(each.kind() + " " + each.name()),
                  FleetWords.time(each.started(), view.time()),
                  TroubleSections.next(each, view.time()),
                  TroubleSections.says(each, view.time())));
      section.add(table.html());
    }
    checks.forEach(check -> {
      if (check.steps().size() > 1) {
        section.element("h3", "Steps of " + check.name()).add(ClusterSections.steps(check));
      }
    });
    if (!past.isEmpty()) {
      section
          .element(
              "h3",
              "Remediated " + FleetWords.count(past.size(), "time") + ", as the policies recorded")
          .open("ul");
      past.stream()
          .limit(TroubleSections.MAX_ROWS)
          .forEach(each ->
              section
                  .open("li")
                  .text(each.kind() + " ")
                  .add(FleetWords.time(each.started(), view.time()))
                  .close("li"));
      section.close("ul");
    }
    return section.close("section");
  }

  private static Optional<Fragment> evidence(List<FleetRemediation> remediations) {
    List<KeptEvidence> kept = new ArrayList<>();
    for (FleetRemediation remediation : remediations) {
      if (remediation.evidence() != null && !kept.contains(remediation.evidence())) {
        kept.add(remediation.evidence());
      }
    }
    return kept.isEmpty()
        ? Optional.empty()
        : Optional.of(new Fragment("evidence", kept, () -> evidenceOf(kept)));
  }

  private static Html evidenceOf(List<KeptEvidence> kept) {
    Html section =
        new Html()
            .open("section", "id", "evidence")
            .element("h2", "Evidence kept before remediation");
    kept.stream()
        .limit(TroubleSections.MAX_ROWS)
        .forEach(evidence -> {
          section.element(
              "p",
              evidence.name().isEmpty()
                  ? "No evidence was kept."
                  : "%s on the node, %s bytes, SHA-256 %s"
                      .formatted(
                          evidence.name(), FleetWords.count(evidence.bytes()), evidence.sha256()));
          section.open("ul");
          evidence.digest().forEach(line -> section.element("li", line));
          section.close("ul");
        });
    return section.close("section");
  }

  private static Html labels(FleetNode node) {
    Html section =
        new Html()
            .open("section", "id", "labels")
            .open("details")
            .element("summary", FleetWords.count(node.labels().size(), "label"))
            .open("ul");
    new TreeMap<>(node.labels())
        .entrySet().stream()
            .limit(MAX_LABELS)
            .forEach(label ->
                section
                    .open("li")
                    .element(
                        "a",
                        label.getKey() + "=" + label.getValue(),
                        "href",
                        PageQuery.link(
                            "nodes",
                            "by",
                            label.getKey(),
                            "value",
                            label.getValue().isEmpty() ? NodesPage.WITHOUT : label.getValue()))
                    .close("li"));
    return section.close("ul").close("details").close("section");
  }
}
