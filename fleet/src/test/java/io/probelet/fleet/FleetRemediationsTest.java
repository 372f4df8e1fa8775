package io.probelet.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.fleet.FleetCondition.Verdict;
import io.probelet.fleet.FleetRemediation.State;
import io.probelet.web.remediation.RemediationView;
import io.probelet.web.remediation.RemediatorsView;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How remediations stand, and what is said of nodes that more than one thing is said of. */
class FleetRemediationsTest {
  private static final Duration LONG = Duration.ofMinutes(30);
  private final FleetFixture cluster = new FleetFixture();

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{conditions: [{type: Succeeded, status: 'True'}]}; SUCCEEDED; GOOD",
        "{conditions: [{type: Succeeded, status: 'False', reason: No}]}; FAILED; BAD",
        "{conditions: [{type: Succeeded, status: Unknown}]}; AT_WORK; GOOD",
        "{conditions: [{type: Processing, status: 'False'}]}; AT_WORK; GOOD",
      })
  @DisplayName("By what its remediator says")
  void states(String status, State state, Verdict verdict) {
    FleetView view =
        cluster.remediation("RebootRemediation", "n-1", LONG, status.replace('\'', '"')).view();
    assertThat(view.remediations().getFirst().state()).isEqualTo(state);
    assertThat(view.remediations().getFirst().conditions())
        .extracting(FleetCondition::verdict)
        .containsExactly(verdict);
  }

  @Test
  @DisplayName("One that is being deleted, and one that is listed only")
  void ending() {
    ObjectNode drain =
        FleetFixture.yaml(FleetFixture.remediationYaml("DrainRemediation", "n-1", LONG, "{}"));
    ((ObjectNode) drain.path("metadata")).put("deletionTimestamp", "2026-11-22T11:59:00Z");
    cluster.remediations.add(RemediationReading.of(drain));
    cluster
        .healthy(3)
        .check(
            "",
            """
            {unhealthyNodes: [{name: n-2, remediations: [
              {resource: {apiVersion: probelet.io/v1alpha1, kind: RebootRemediation, name: r}, started: "2026-11-22T11:50:00Z"}]}]}
            """);
    assertThat(cluster.view().remediations())
        .extracting(FleetRemediation::node, FleetRemediation::state, FleetRemediation::step)
        .containsExactly(tuple("n-2", State.NOT_SEEN, 2), tuple("n-1", State.ENDING, 1));
  }

  @Test
  @DisplayName("All steps tried: a person has to do something")
  void outOfSteps() {
    for (String kind : List.of("DrainRemediation", "RebootRemediation")) {
      ObjectNode tried = FleetFixture.yaml(FleetFixture.remediationYaml(kind, "bad-1", LONG, "{}"));
      ((ObjectNode) tried.at("/metadata/annotations"))
          .put("remediation.medik8s.io/nhc-timed-out", "2026-11-22T11:40:00Z");
      cluster.remediations.add(RemediationReading.of(tried));
    }
    FleetView view =
        cluster.healthy(5).node("bad-1", "Unknown", LONG).check().policy("{maxNodes: 3}").view();
    assertThat(view.policies().getFirst().remediating()).as("as the leader counts").isEqualTo(1);
    assertThat(view.waitsOf("bad-1"))
        .extracting(FleetWait::reason, FleetWait::why)
        .containsExactly(
            tuple(
                "NoTemplateLeft",
                "All 2 of 2 remediation steps were tried: repair the node by hand or add an"
                    + " escalatingRemediations step"));
  }

  @Test
  @DisplayName("Two NodeHealthChecks select a node: each says its own, the sooner moment counts")
  void twoChecks() throws Exception {
    cluster
        .healthy(3)
        .node("new-1", "False", Duration.ofMinutes(2))
        .node("bad-1", "Unknown", LONG)
        .check();
    cluster.checks.add(
        CheckReading.of(
            FleetFixture.yaml(
                FleetFixture.checkYaml(
                        "unhealthyConditions: [{type: Ready, status: \"False\", duration: 3m}]",
                        "{}")
                    .replace("name: workers,", "name: quick,"))));
    cluster.remediation =
        RemediationView.parse(
            """
            {"leading": true, "nodeHealthChecks": [
              {"name": "quick", "unhealthyNodes": []},
              {"name": "workers", "unhealthyNodes": [{"name": "bad-1", "remediations": [], "heldBack": "Paused", "why": "paused: x"}]}]}
            """
                .getBytes(StandardCharsets.UTF_8));
    FleetView view = cluster.view();
    assertThat(view.node("new-1").orElseThrow())
        .returns(List.of("workers", "quick"), FleetNode::checks)
        .returns(Instant.parse("2026-11-22T12:01:01Z"), FleetNode::unhealthyAt);
    assertThat(view.waits())
        .extracting(FleetWait::node, FleetWait::check, FleetWait::why)
        .containsExactly(tuple("bad-1", "NodeHealthCheck/workers", "Paused: x"));
    assertThat(view.checks())
        .extracting(FleetCheck::name, check -> check.unhealthyNodes().size())
        .containsExactly(tuple("workers", 1), tuple("quick", 0));
  }

  @Test
  @DisplayName(
      "A leader's answer that leaves names out, or names nodes that are none, says nothing")
  void hostileLeader() throws Exception {
    cluster.healthy(5).node("bad-1", "Unknown", LONG).check();
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 40_000; i++) {
      many.append(
          "{\"name\": \"none-%d\", \"remediations\": [], \"heldBack\": \"X\"},".formatted(i));
    }
    cluster.remediation =
        RemediationView.parse(
            ("{\"leading\": true, \"nodeHealthChecks\": [{\"unhealthyNodes\": []}, {\"name\": \"workers\", \"unhealthyNodes\": ["
                    + many
                    + "{\"remediations\": [], \"heldBack\": \"X\"},"
                    + "{\"name\": \"bad-1\", \"remediations\": [], \"heldBack\": \"X\"}]}]}")
                .getBytes(StandardCharsets.UTF_8));
    cluster.remediators =
        RemediatorsView.parse(
            "{\"leading\": true, \"kinds\": [{\"problem\": \"p\"}], \"remediations\": []}"
                .getBytes(StandardCharsets.UTF_8));
    assertThat(cluster.view().waits())
        .extracting(FleetWait::node, FleetWait::reason, FleetWait::why)
        .containsExactly(tuple("bad-1", "X", "The leader reports only X"));
  }

  @Test
  @DisplayName("What policies remember counts, newest first")
  void past() {
    ObjectNode policy =
        FleetFixture.yaml(
            """
            apiVersion: probelet.io/v1alpha1
            kind: RemediationPolicy
            metadata: {name: careful}
            spec: {maxPerHour: 1}
            status: {held: 1, recent: {"2026-11-22T09:00:00.000Z n-1": DrainRemediation, "2026-11-22T11:30:00.000Z n-2": DrainRemediation}}
            """);
    cluster.policies.add(PolicyReading.of(policy));
    FleetView view = cluster.healthy(5).node("bad-1", "Unknown", LONG).check().view();
    assertThat(view.past())
        .extracting(FleetPast::node, FleetPast::kind)
        .containsExactly(tuple("n-2", "DrainRemediation"), tuple("n-1", "DrainRemediation"));
    assertThat(view.policies().getFirst())
        .returns(1, FleetPolicy::lastHour)
        .returns(1, FleetPolicy::held);
    assertThat(view.waitsOf("bad-1"))
        .extracting(FleetWait::why, FleetWait::until)
        .containsExactly(
            tuple(
                "RemediationPolicy careful: 1 started within the last hour, limit 1; the next may start"
                    + " at 2026-11-22T12:30:00Z",
                Instant.parse("2026-11-22T12:30:00Z")));
  }

  @Test
  @DisplayName("A node that has not reported, and a cluster of which a condition is not True")
  void others() {
    cluster.nodes.add(
        FleetFixture.reading(
            FleetFixture.yaml(
                "{apiVersion: v1, kind: Node, metadata: {name: new, creationTimestamp: \"2026-11-22T11:59:30Z\"}}")));
    assertThat(cluster.view().nodes().getFirst())
        .returns(FleetNode.State.UNREPORTED, FleetNode::state)
        .returns("Ready missing", FleetNode::problem)
        .returns(Instant.parse("2026-11-22T11:59:30Z"), FleetNode::since);
    assertThat(
            ConditionReader.ofCluster(
                FleetFixture.yaml(
                        """
                        {c: [{type: A, status: "True"}, {type: B, status: "False"}, {type: C, status: Progressing}, {type: D, status: Unknown}]}
                        """)
                    .path("c")))
        .extracting(FleetCondition::verdict)
        .containsExactly(Verdict.GOOD, Verdict.BAD, Verdict.WARNING, Verdict.UNKNOWN);
    FleetFixture well = new FleetFixture().healthy(1);
    well.clusterHealth.add(
        new FleetCondition("EveryNodeReady", "Progressing", "R", "m", null, Verdict.WARNING));
    assertThat(well.view().verdict()).isEqualTo(FleetView.Verdict.NOT_WELL);
  }
}
