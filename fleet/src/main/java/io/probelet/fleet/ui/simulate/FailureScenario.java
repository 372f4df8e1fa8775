package io.probelet.fleet.ui.simulate;

import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.UnhealthyCondition;
import io.probelet.nodehealth.simulation.Scenario;
import io.probelet.nodehealth.simulation.Scenario.Change;
import io.probelet.nodehealth.simulation.Scenario.Event;
import io.probelet.nodehealth.simulation.Scenario.NodeGroup;
import io.probelet.nodehealth.simulation.Scenario.Outcome;
import io.probelet.nodehealth.simulation.Scenario.Remediator;
import io.probelet.web.http.Resource.BadRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The cluster's nodes as a scenario: those that are unhealthy are so from the beginning, and some
 * go down.
 */
final class FailureScenario {
  /** What one request may ask for. */
  static final int MAX_DOWN = 500;

  private FailureScenario() {}

  /**
   * {@return the nodes that go down, by name}
   *
   * @throws BadRequest if there are none or too many
   */
  static List<String> nodes(List<NodeFacts> selected, String down) throws BadRequest {
    int equals = down.indexOf('=');
    List<String> names =
        selected.stream()
            .filter(node ->
                equals < 0
                    ? node.name().equals(down)
                    : down.substring(equals + 1)
                        .equals(node.labels().get(down.substring(0, equals))))
            .map(NodeFacts::name)
            .sorted()
            .toList();
    if (names.isEmpty()) {
      throw new BadRequest(
          "the NodeHealthCheck selects no node with the name or label "
              + down
              + "; use a node name or key=value");
    }
    if (names.size() > MAX_DOWN) {
      throw new BadRequest(
          "%d nodes have %s; at most %d can go down here, use probelet simulate for more"
              .formatted(names.size(), down, MAX_DOWN));
    }
    return names;
  }

  static List<NodeFacts> selected(List<NodeFacts> nodes, NodeHealthCheckSpec spec) {
    return nodes.stream().filter(node -> spec.selector().matches(node.labels())).toList();
  }

  static Scenario scenario(
      List<NodeFacts> selected,
      NodeHealthCheckSpec spec,
      List<String> down,
      String healer,
      Duration heals) {
    List<Event> events = new ArrayList<>();
    for (UnhealthyCondition rule : spec.unhealthyConditions()) {
      List<String> already =
          selected.stream()
              .filter(node -> node.meets(rule))
              .map(NodeFacts::name)
              .limit(MAX_DOWN)
              .toList();
      if (!already.isEmpty()) {
        events.add(
            new Event(Duration.ZERO, new Change.Condition(already, rule.type(), rule.status())));
      }
    }
    events.add(new Event(Duration.ZERO, new Change.Condition(down, "Ready", "Unknown")));
    return new Scenario(
        selected.stream().map(node -> new NodeGroup(List.of(node.name()), node.labels())).toList(),
        events,
        List.of(new Remediator(healer, List.of(), heals, Outcome.HEALS, Duration.ZERO)));
  }
}
