package io.probelet.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.fleet.FleetNode.State;
import io.probelet.fleet.FleetView.Verdict;
import io.probelet.fleet.FleetWait.Source;
import io.probelet.remediator.resource.KeptEvidence;
import io.probelet.web.remediation.RemediationView;
import io.probelet.web.remediation.RemediatorsView;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is shown of a cluster, by what was read of it. */
class FleetAssemblyTest {
  private static final Duration LONG = Duration.ofMinutes(30);
  private final FleetFixture cluster = new FleetFixture();

  @Test
  @DisplayName("A cluster with nothing wrong is well")
  void well() {
    FleetView view = cluster.healthy(3).check().view();
    assertThat(view.verdict()).isEqualTo(Verdict.WELL);
    assertThat(view.nodes()).extracting(FleetNode::state).containsOnly(State.HEALTHY);
    assertThat(view.checks().getFirst())
        .returns(3, FleetCheck::nodes)
        .returns(3, FleetCheck::healthy)
        .returns(2, FleetCheck::required)
        .returns("minHealthy 51%", FleetCheck::floor);
  }

  @Test
  @DisplayName("What could not be read is never well")
  void gap() {
    cluster.healthy(3).gaps.add(new FleetGap("X", FleetGap.Kind.FORBIDDEN, "no right", true));
    assertThat(cluster.view().verdict()).isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  @DisplayName("Too few healthy nodes: the sentence has the number found and the one needed")
  void tooFewHealthy() {
    FleetView view =
        cluster
            .healthy(2)
            .node("bad-1", "Unknown", LONG)
            .node("bad-2", "False", LONG)
            .check()
            .view();
    assertThat(view.waits())
        .extracting(FleetWait::node, FleetWait::reason, FleetWait::why, FleetWait::source)
        .containsExactly(
            tuple(
                "bad-1",
                "TooFewHealthy",
                "2 of 3 healthy nodes required (minHealthy 51% of 4): 1 more must become healthy",
                Source.COMPUTED),
            tuple(
                "bad-2",
                "TooFewHealthy",
                "2 of 3 healthy nodes required (minHealthy 51% of 4): 1 more must become healthy",
                Source.COMPUTED));
    assertThat(view.node("bad-1").orElseThrow())
        .returns(State.WAITING, FleetNode::state)
        .returns("Ready=Unknown", FleetNode::problem)
        .returns(FleetFixture.NOW.minus(LONG), FleetNode::since);
    assertThat(view.verdict()).isEqualTo(Verdict.NOT_WELL);
  }

  @Test
  @DisplayName("The leader's decision wins over the computed one, unless the node is healthy")
  void leader() throws Exception {
    cluster.healthy(5).node("bad-1", "Unknown", LONG).check();
    cluster.remediation =
        RemediationView.parse(
            """
            {"leading": true, "leader": "c-0", "nodeHealthChecks": [{"name": "workers", "phase": "Enabled",
             "reason": "r", "observedNodes": 9, "healthyNodes": 4, "unhealthyNodes": [
               {"name": "healthy-1", "remediations": [], "heldBack": "ControlPlaneBusy", "why": "some seconds ago"},
               {"name": "bad-1", "remediations": [], "heldBack": "TooFewHealthy", "why": "4 of 5 required nodes are healthy"}]}]}
            """
                .getBytes(StandardCharsets.UTF_8));
    assertThat(cluster.view().waits())
        .extracting(FleetWait::why, FleetWait::source)
        .containsExactly(
            tuple(
                "4 of 5 healthy nodes required (minHealthy 51% of 9): 1 more must become healthy",
                Source.LEADER));
  }

  @Test
  @DisplayName("A condition that has not lasted yet says when it will have")
  void soon() {
    FleetView view =
        cluster.healthy(3).node("new-1", "False", Duration.ofMinutes(2)).check().view();
    assertThat(view.node("new-1").orElseThrow())
        .returns(State.SOON, FleetNode::state)
        .returns("Ready=False", FleetNode::problem)
        .returns(FleetFixture.NOW.plus(Duration.ofSeconds(181)), FleetNode::unhealthyAt);
    assertThat(view.waits()).isEmpty();
  }

  @Test
  @DisplayName("A node that no NodeHealthCheck selects is not remediated, and the page says so")
  void unselected() {
    cluster.node("bad-1", "Unknown", LONG);
    assertThat(cluster.view().waits())
        .extracting(FleetWait::reason)
        .containsExactly("NoNodeHealthCheck");
    assertThat(cluster.view().node("bad-1").orElseThrow().state()).isEqualTo(State.UNHEALTHY);
    cluster.gaps.add(new FleetGap(FleetFacts.CHECKS, FleetGap.Kind.FORBIDDEN, "no right", true));
    assertThat(cluster.view().waits()).as("nobody knows").isEmpty();
  }

  @Test
  @DisplayName("Steps of escalation in turn, with the moment of the next one and the evidence")
  void escalation() {
    FleetView view =
        cluster
            .healthy(5)
            .node("bad-1", "Unknown", LONG)
            .check(
                "",
                """
                {phase: Remediating, observedNodes: 6, healthyNodes: 5, unhealthyNodes: [{name: bad-1, remediations: [
                  {resource: {apiVersion: probelet.io/v1alpha1, kind: DrainRemediation, namespace: probelet-system, name: gone},
                   started: "2026-11-22T11:40:00Z", timedOut: "2026-11-22T11:45:00Z", templateName: gently}]}]}
                """)
            .remediation(
                "RebootRemediation",
                "bad-1",
                Duration.ofMinutes(3),
                """
                {phase: Ordered, phaseTime: "2026-11-22T11:58:00Z", message: waits for the agent,
                 evidence: {name: e.tar.gz, sha256: ab, bytes: 5, digest: [one, two]}}
                """)
            .view();
    assertThat(view.remediationsOf("bad-1"))
        .extracting(
            FleetRemediation::kind,
            FleetRemediation::step,
            FleetRemediation::steps,
            FleetRemediation::state,
            FleetRemediation::deadline)
        .containsExactly(
            tuple("DrainRemediation", 1, 2, FleetRemediation.State.TIMED_OUT, null),
            tuple(
                "RebootRemediation",
                2,
                2,
                FleetRemediation.State.AT_WORK,
                Instant.parse("2026-11-22T12:07:00Z")));
    assertThat(view.remediationsOf("bad-1").getLast())
        .returns("Ordered", FleetRemediation::phase)
        .returns(
            new KeptEvidence("e.tar.gz", "ab", 5, List.of("one", "two")),
            FleetRemediation::evidence);
    assertThat(view.node("bad-1").orElseThrow().state()).isEqualTo(State.REMEDIATING);
    assertThat(view.waits()).isEmpty();
  }

  @Test
  @DisplayName("A remediation that its remediator holds back, and one that has not begun")
  void held() {
    FleetView view =
        cluster
            .healthy(5)
            .node("bad-1", "Unknown", LONG)
            .node("bad-2", "Unknown", LONG)
            .check()
            .remediation(
                "DrainRemediation", "bad-1", LONG, "{phase: Held, message: waits for approval}")
            .remediation("DrainRemediation", "bad-2", Duration.ofMinutes(4), "{}")
            .view();
    assertThat(view.waits())
        .extracting(FleetWait::check, FleetWait::reason, FleetWait::why)
        .containsExactly(
            tuple("DrainRemediation/bad-1", "Held", "Waits for approval"),
            tuple(
                "DrainRemediation/bad-2",
                "Pending",
                "Not started for 4 minutes: is drain enabled in the controller's"
                    + " --remediators?"));
    assertThat(view.node("bad-1").orElseThrow().state()).isEqualTo(State.WAITING);
  }

  @Test
  @DisplayName("A remediation that timed out is no longer held back")
  void givenUp() {
    ObjectNode drain =
        FleetFixture.yaml(FleetFixture.remediationYaml("DrainRemediation", "bad-1", LONG, "{}"));
    ((ObjectNode) drain.at("/metadata/annotations"))
        .put("remediation.medik8s.io/nhc-timed-out", "2026-11-22T11:40:00Z");
    cluster.healthy(5).node("bad-1", "Unknown", LONG).check();
    cluster.remediations.add(RemediationReading.of(drain));
    cluster.remediation("RebootRemediation", "bad-1", Duration.ofSeconds(20), "{phase: Ordered}");
    assertThat(cluster.view().waits()).isEmpty();
    assertThat(cluster.view().remediationsOf("bad-1"))
        .extracting(FleetRemediation::state)
        .containsExactly(FleetRemediation.State.TIMED_OUT, FleetRemediation.State.AT_WORK);
  }

  @Test
  @DisplayName("A policy's limit holds with its numbers")
  void policy() {
    FleetView view =
        cluster
            .healthy(5)
            .node("bad-1", "Unknown", LONG)
            .node("bad-2", "Unknown", LONG)
            .check()
            .policy("{maxNodes: 1}")
            .remediation("DrainRemediation", "bad-1", Duration.ofMinutes(3), "{phase: Draining}")
            .view();
    assertThat(view.waits())
        .extracting(FleetWait::node, FleetWait::reason, FleetWait::why)
        .containsExactly(
            tuple(
                "bad-2",
                "PolicyNodeLimit",
                "RemediationPolicy careful: 1 being remediated, limit 1" + " (maxNodes 1)"));
    assertThat(view.policies().getFirst())
        .returns(7, FleetPolicy::nodes)
        .returns(1, FleetPolicy::remediating)
        .returns(List.of("maxNodes 1"), FleetPolicy::limits);
  }

  @Test
  @DisplayName("No leader, a kind that does not run, and a remediation that has not begun")
  void nobody() throws Exception {
    cluster.healthy(5).node("bad-1", "Unknown", LONG).check();
    cluster.leaders.add(
        new FleetLeader(
            "probelet-remediation", "c-0", Instant.parse("2026-11-22T11:00:00Z"), false));
    cluster.remediators =
        RemediatorsView.parse(
            "{\"leading\": true, \"kinds\": [{\"kind\": \"DrainRemediation\", \"problem\": \"no right\"}], \"remediations\": []}"
                .getBytes(StandardCharsets.UTF_8));
    assertThat(cluster.view().waits())
        .extracting(FleetWait::node, FleetWait::reason, FleetWait::why)
        .containsExactly(
            tuple(
                "",
                "NobodyLeads",
                "No leader, so no remediation starts: lease probelet-remediation, last renewed by"
                    + " c-0 at 2026-11-22T11:00:00Z"),
            tuple("", "NotCarriedOut", "DrainRemediation does not run: no right"),
            tuple(
                "bad-1",
                "NotBegun",
                "No known reason, but no remediation has started for 25"
                    + " minutes: is a controller running, and allowed to create remediations?"));
    cluster.unread.add("DrainRemediation");
    assertThat(cluster.view().waits())
        .as("it may have begun where nobody may read")
        .extracting(FleetWait::reason)
        .doesNotContain("NotBegun");
  }

  @Test
  @DisplayName("Disabled, paused, in a cooldown, out of steps: each in a sentence")
  void sentences() {
    assertThat(
            why(
                "",
                "{conditions: [{type: Disabled, status: \"True\", reason: TemplateNotFound, message: no such object}]}"))
        .isEqualTo("The NodeHealthCheck is disabled: TemplateNotFound: no such object");
    assertThat(why("pauseRequests: [upgrade of racks]", "{}"))
        .isEqualTo(
            "The NodeHealthCheck is paused until its pauseRequests are empty: upgrade of racks");
    assertThat(
            why(
                "stormCooldownDuration: 10m",
                """
                {conditions: [{type: StormActive, status: "True", reason: R, message: m, lastTransitionTime: "2026-11-22T11:00:00Z"},
                  {type: StormCooldownActive, status: "True", reason: R, message: m, lastTransitionTime: "2026-11-22T11:58:00Z"}]}
                """))
        .isEqualTo(
            "Enough nodes are healthy again, but stormCooldownDuration 10m lasts until"
                + " 2026-11-22T12:08:00Z");
  }

  @Test
  @DisplayName("A node that is healthy again, and whose remediation is kept by healthyDelay")
  void healthyDelay() {
    String status =
        """
        {unhealthyNodes: [{name: healthy-1, healthyDelayed: true, conditionsHealthyTimestamp: "2026-11-22T11:55:00Z"}]}
        """;
    for (String delay : List.of("10m", "-1s")) {
      FleetView view =
          new FleetFixture()
              .healthy(5)
              .check("healthyDelay: " + delay, status)
              .remediation("DrainRemediation", "healthy-1", LONG, "{phase: Done}")
              .view();
      assertThat(view.waits())
          .extracting(FleetWait::node, FleetWait::why, FleetWait::until)
          .containsExactly(
              delay.equals("10m")
                  ? tuple(
                      "healthy-1",
                      "Healthy again; remediation ends after healthyDelay 10m",
                      Instant.parse("2026-11-22T12:05:00Z"))
                  : tuple(
                      "healthy-1",
                      "Healthy again; remediation ends when the node is annotated with"
                          + " remediation.medik8s.io/manually-confirmed-healthy",
                      null));
      assertThat(view.node("healthy-1").orElseThrow().state()).isEqualTo(State.WAITING);
    }
  }

  private static String why(String more, String status) {
    FleetView view =
        new FleetFixture().healthy(5).node("bad-1", "Unknown", LONG).check(more, status).view();
    return view.waitsOf("bad-1").getFirst().why();
  }

  @Test
  @DisplayName("A NodeHealthCheck that cannot be read, a monitor's condition, a cordoned node")
  void rest() {
    cluster.checks.add(
        CheckReading.of(
            FleetFixture.yaml(
                "{apiVersion: remediation.medik8s.io/v1alpha1, kind: NodeHealthCheck, metadata: {name: odd}, spec: {minHealthy: lots}}")));
    FleetView view =
        cluster
            .node(
                "disk-1",
                "True",
                LONG,
                "  - {type: DiskProblem, status: \"True\", lastTransitionTime: \"2026-11-22T11:00:00Z\"}\n",
                "spec: {unschedulable: true, taints: [{key: a, value: b, effect: NoSchedule}]}\n")
            .view();
    assertThat(view.checks().getFirst().problem()).contains("minHealthy");
    assertThat(view.nodes().getFirst())
        .returns(State.PROBLEM, FleetNode::state)
        .returns("DiskProblem=True", FleetNode::problem)
        .returns(true, FleetNode::cordoned)
        .returns(List.of("a=b:NoSchedule"), FleetNode::taints);
  }
}
