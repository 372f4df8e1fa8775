package io.probelet.nodehealth.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.selector.LabelSelector;
import io.probelet.nodehealth.policy.Policies;
import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.nodehealth.remediation.TemplateLookup;
import io.probelet.nodehealth.remediation.TemplateLookup.Template;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.HealthyFloor.MinHealthy;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.NodeCount.Percent;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.UnhealthyCondition;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.simulation.Scenario.Change;
import io.probelet.nodehealth.simulation.Scenario.Event;
import io.probelet.nodehealth.simulation.Scenario.NodeGroup;
import io.probelet.nodehealth.simulation.Scenario.Outcome;
import io.probelet.nodehealth.simulation.Scenario.Remediator;
import io.probelet.nodehealth.simulation.Timeline.Span;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** RB-3: a scenario is played by the planner that a cluster has. */
class SimulationTest {
  private static final ObjectRef FIRST = new ObjectRef("v1", "FirstTemplate", "n", "first");
  private static final ObjectRef SECOND = new ObjectRef("v1", "SecondTemplate", "n", "second");

  @Test
  @DisplayName("RB-3 escalation: what happens, when, to whom and why, row by row")
  void escalation() {
    Timeline timeline =
        play(
            List.of(
                event(1, new Change.Condition(List.of("w-1", "w-2"), "Ready", "Unknown")),
                event(9, new Change.Label(List.of("w-3"), "a", "b"))),
            List.of(
                remediator("First", List.of("w-1"), 2, Outcome.HEALS),
                remediator("Second", List.of(), 1, Outcome.HEALS)));
    assertThat(rows(timeline))
        .containsExactly(
            "PT1M CLUSTER w-1..2 Ready=Unknown",
            "PT6M1S PROBELET w-1..2 unhealthy: Ready=Unknown since 1m0s",
            "PT6M1S PROBELET w-1..2 created First",
            "PT8M1S REMEDIATOR w-1 First: succeeded, the node is healthy",
            "PT8M1S PROBELET w-1 deleted First",
            "PT9M CLUSTER w-3 label a=b",
            "PT9M1S PROBELET w-2 gave up First",
            "PT9M1S PROBELET w-2 created Second",
            "PT10M1S REMEDIATOR w-2 Second: succeeded, the node is healthy",
            "PT10M1S PROBELET w-2 deleted First",
            "PT10M1S PROBELET w-2 deleted Second");
    assertThat(timeline.outcome())
        .containsExactly(
            "check: 5 of 5 nodes healthy; NHC is enabled, no ongoing remediation",
            "3 created, 1 given up, 3 deleted");
    assertThat(timeline.spans())
        .contains(
            new Span("w-1", "", Duration.ofSeconds(361), Duration.ofSeconds(481)),
            new Span("w-2", "First", Duration.ofSeconds(361), Duration.ofSeconds(601)));
  }

  @Test
  @DisplayName("RB-5 who waits and why is a row; pausing, cleanup, confirmation and removal work")
  void waiting() {
    Timeline timeline =
        play(
            List.of(
                event(0, new Change.Pause(List.of("me"))),
                event(1, new Change.Condition(List.of("w-1"), "Ready", "False")),
                event(7, new Change.Pause(List.of())),
                event(8, new Change.Condition(List.of("w-1"), "Ready", "True")),
                event(9, new Change.Confirmation(List.of("w-2", "gone"))),
                event(9, new Change.Removal(List.of("w-5", "gone")))),
            List.of(
                new Remediator(
                    "First", List.of(), Duration.ZERO, Outcome.NOTHING, Duration.ofMinutes(1))));
    assertThat(rows(timeline))
        .containsExactly(
            "PT0S CLUSTER  pause requested: me",
            "PT1M CLUSTER w-1 Ready=False",
            "PT6M1S PROBELET w-1 unhealthy: Ready=False since 1m0s",
            "PT6M1S PROBELET w-1 waiting: paused: me",
            "PT7M CLUSTER  pause requests removed",
            "PT7M PROBELET w-1 created First",
            "PT8M CLUSTER w-1 Ready=True",
            "PT8M PROBELET w-1 deleted First",
            "PT9M CLUSTER w-2 confirmed healthy by a person",
            "PT9M CLUSTER w-5 deleted from the cluster",
            "PT9M PROBELET w-2 removed the annotation that confirmed it healthy");
    assertThat(timeline.outcome().getFirst()).startsWith("check: 4 of 4 nodes healthy");
  }

  @Test
  @DisplayName("a remediator may fail, or succeed without healing")
  void noHelp() {
    assertThat(
            rows(
                play(
                    List.of(event(0, new Change.Condition(List.of("w-1"), "Ready", "False"))),
                    List.of(
                        remediator("First", List.of(), 1, Outcome.FAILS),
                        remediator("Second", List.of(), 1, Outcome.SUCCEEDS)))))
        .contains(
            "PT6M1S REMEDIATOR w-1 First: failed",
            "PT6M1S PROBELET w-1 gave up First",
            "PT6M1S PROBELET w-1 created Second",
            "PT7M1S REMEDIATOR w-1 Second: succeeded, but the node is unchanged",
            "PT9M1S PROBELET w-1 waiting: all remediation templates have been tried: 2");
  }

  @Test
  @DisplayName("ACT-70 a simulation keeps to the policies that a cluster would have")
  void policies() {
    List<Event> events =
        List.of(event(1, new Change.Condition(List.of("w-1", "w-2"), "Ready", "False")));
    List<Remediator> heals = List.of(remediator("First", List.of(), 2, Outcome.HEALS));
    assertThat(rows(play(events, heals, List.of(Policies.policy("one", "{maxNodes: 1}")))))
        .containsExactly(
            "PT1M CLUSTER w-1..2 Ready=False",
            "PT6M1S PROBELET w-1..2 unhealthy: Ready=False since 1m0s",
            "PT6M1S PROBELET w-1 created First",
            "PT6M1S PROBELET w-2 waiting: RemediationPolicy one: 1 being remediated,"
                + " limit 1 (maxNodes 1)",
            "PT8M1S REMEDIATOR w-1 First: succeeded, the node is healthy",
            "PT8M1S PROBELET w-1 deleted First",
            "PT8M1S PROBELET w-2 waiting: nodes are still failing or recovering",
            "PT8M3S PROBELET w-2 created First",
            "PT10M3S REMEDIATOR w-2 First: succeeded, the node is healthy",
            "PT10M3S PROBELET w-2 deleted First");
  }

  private static Timeline play(List<Event> events, List<Remediator> remediators) {
    return play(events, remediators, List.of());
  }

  private static Timeline play(
      List<Event> events, List<Remediator> remediators, List<RemediationPolicy> policies) {
    NodeHealthCheckSpec spec =
        new NodeHealthCheckSpec(
            LabelSelector.EVERYTHING,
            UnhealthyCondition.DEFAULTS,
            new MinHealthy(new Percent(51)),
            List.of(
                new RemediationStep(FIRST, Duration.ofMinutes(3)),
                new RemediationStep(SECOND, Duration.ofMinutes(3))),
            null,
            List.of(),
            Duration.ZERO,
            null,
            NodeHealthCheckSpec.DEFAULT_SETTLE,
            null);
    TemplateLookup found = new Template(true, null, false);
    return Simulation.run(
        new Scenario(
            List.of(new NodeGroup(NodeNames.expand("w-1..5"), Map.of())), events, remediators),
        List.of(new NodeHealthCheck("check", "uid", spec, NodeHealthCheckStatus.NONE)),
        Map.of(FIRST, found, SECOND, found),
        policies,
        List.of(),
        Duration.ofMinutes(30));
  }

  private static Event event(int minutes, Change change) {
    return new Event(Duration.ofMinutes(minutes), change);
  }

  private static Remediator remediator(
      String kind, List<String> nodes, int minutes, Outcome outcome) {
    return new Remediator(kind, nodes, Duration.ofMinutes(minutes), outcome, Duration.ZERO);
  }

  private static List<String> rows(Timeline timeline) {
    return timeline.rows().stream()
        .map(row ->
            "%s %s %s %s"
                .formatted(row.at(), row.by(), NodeNames.compress(row.nodes()), row.what()))
        .toList();
  }
}
