package io.probelet.nodehealth.readiness.controller;

import static io.probelet.nodehealth.readiness.controller.ReadinessRun.RULES;
import static io.probelet.nodehealth.readiness.controller.ReadinessRun.TAINT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.FakeApiServer;
import io.probelet.nodehealth.readiness.RuleSet;
import io.probelet.nodehealth.readiness.controller.AdmissionReport.Treatment;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The shell of node admission before an API server that has its moods. */
class NodeReadinessControllerTest {
  private static final String READY_TAINT = "{key: %s, effect: NoSchedule}".formatted(TAINT);
  private static final String OTHERS =
      "{key: example.org/busy, effect: NoExecute, timeAdded: \"2026-01-01T00:00:00Z\"}";
  private static final String MARKS = "probelet.io/readiness-taints";

  private ReadinessRun run;
  private FakeApiServer server;

  @BeforeEach
  void begin() throws IOException {
    run = new ReadinessRun();
    server = run.server;
  }

  @AfterEach
  void end() {
    run.close();
  }

  private String marks(String node) {
    return run.nodeNow(node).path("metadata").path("annotations").path(MARKS).asText();
  }

  private List<String> reasons() {
    return server.events().stream().map(event -> event.path("reason").asText()).toList();
  }

  @Test
  void keepsTheKubeletsTaintUntilTheConditionsAreThere() {
    run.rule("network", "bootstrap-only", "CNIReady=True");
    run.node("n1", READY_TAINT + "," + OTHERS, "{type: Ready, status: \"True\"}");
    run.await(() -> assertThat(marks("n1")).isEqualTo(TAINT + ":NoSchedule"));
    assertThat(run.taints("n1")).containsExactly(TAINT, "example.org/busy");
    run.condition("n1", "CNIReady", "False");
    run.condition("n1", "CNIReady", "True");
    run.await(() -> assertThat(run.taints("n1")).containsExactly("example.org/busy"));
    assertThat(run.isCompleted("n1", "network")).isTrue();
    assertThat(marks("n1")).isEmpty();
    assertThat(run.nodeNow("n1").at("/spec/taints/0/timeAdded").asText()).startsWith("2026");

    run.condition("n1", "CNIReady", "False");
    run.time.advance(Duration.ofMinutes(1));
    assertThat(run.taints("n1")).containsExactly("example.org/busy");
    run.await(
        () -> assertThat(reasons()).contains("TaintAdopted", "TaintRemoved", "BootstrapCompleted"));
  }

  @Test
  void continuousRuleTaintsANodeAgain() {
    run.node("n1", OTHERS, "");
    run.rule("network", "continuous", "CNIReady=True");
    run.await(() -> assertThat(run.taints("n1")).containsExactly("example.org/busy", TAINT));
    run.condition("n1", "CNIReady", "True");
    run.await(() -> assertThat(run.taints("n1")).containsExactly("example.org/busy"));
    run.condition("n1", "CNIReady", "Unknown");
    run.await(() -> assertThat(run.taints("n1")).contains(TAINT));
    assertThat(run.isCompleted("n1", "network")).isFalse();
  }

  @Test
  void nodeWithoutTaintsAndAnnotationsGetsItsFirst() {
    server.put(
        "{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {role: worker}}, spec: {}}");
    run.rule("network", "continuous", "CNIReady=True");
    run.await(() -> assertThat(run.taints("n1")).containsExactly(TAINT));
  }

  @Test
  void statusTellsWhichConditionsANodeLacks() {
    run.node("n1", "", "");
    run.node("n2", READY_TAINT, "{type: CNIReady, status: \"True\"}");
    run.rule("network", "continuous", "CNIReady=True");
    run.await(() -> {
      JsonNode status = run.ruleNow("network").path("status");
      assertThat(status.path("observedGeneration").asInt()).isEqualTo(1);
      assertThat(status.path("appliedNodes").toString()).isEqualTo("[\"n1\",\"n2\"]");
      assertThat(status.at("/nodeEvaluations/0/nodeName").asText()).isEqualTo("n1");
      assertThat(status.at("/nodeEvaluations/0/taintStatus").asText()).isEqualTo("Present");
      assertThat(status.at("/nodeEvaluations/1/taintStatus").asText()).isEqualTo("Absent");
    });
    int writes = server.writesDone("/network/status").size();
    run.time.advance(Duration.ofMinutes(10));
    assertThat(server.writesDone("/network/status")).hasSize(writes);
  }

  @Test
  void statusOfManyChangesIsWrittenTogether() {
    run.rule("network", "continuous", "CNIReady=True");
    for (int i = 0; i < 50; i++) {
      run.node("n" + i, "", "");
    }
    run.await(() -> assertThat(run.ruleNow("network").at("/status/nodeEvaluations")).hasSize(50));
    assertThat(server.writesDone("/network/status").size()).isLessThanOrEqualTo(4);
  }

  /** NRR-8: the finalizer waits for it. */
  @Test
  void deletedRuleRemovesItsTaintsFirst() {
    run.node("n1", "", "");
    run.rule("network", "continuous", "CNIReady=True");
    run.await(() -> assertThat(run.taints("n1")).contains(TAINT));
    server.faults().refuse("/nodes/n1", 500, "busy");
    server.delete(RULES + "/network");
    run.time.advance(Duration.ofSeconds(30));
    assertThat(run.ruleNow("network").isMissingNode()).as("the taint is still there").isFalse();
    server.faults().refuse(null, 0, "");
    run.await(() -> assertThat(run.ruleNow("network").isMissingNode()).isTrue());
    assertThat(run.taints("n1")).isEmpty();
  }

  @Test
  void deletedRuleLeavesTheTaintThatAnotherOneNeeds() {
    run.node("n1", "", "");
    run.rule("network", "continuous", "CNIReady=True");
    run.rule("storage", "continuous", "CSIReady=True");
    run.await(() -> {
      assertThat(run.taints("n1")).containsExactly(TAINT);
      assertThat(run.ruleNow("storage").at("/metadata/finalizers")).hasSize(1);
    });
    server.delete(RULES + "/network");
    run.await(() -> assertThat(run.ruleNow("network").isMissingNode()).isTrue());
    assertThat(run.taints("n1")).containsExactly(TAINT);
    run.condition("n1", "CSIReady", "True");
    run.await(() -> assertThat(run.taints("n1")).isEmpty());
  }

  /** NRR-7: the mark is in the cluster. */
  @Test
  void nodeThatLeavesTheSelectorLosesTheTaintAfterAChangeOfLeaders() {
    run.node("n1", READY_TAINT, "");
    run.rule("network", "continuous", "CNIReady=True");
    run.await(() -> assertThat(marks("n1")).isNotEmpty());
    run.stop();
    server.patch("/api/v1/nodes/n1", "metadata: {labels: {role: other}}");
    run.leaderChanges();
    run.await(() -> assertThat(run.taints("n1")).isEmpty());
  }

  @Test
  void nextLeaderRemovesTheTaintOfACompletedNode() {
    run.stop();
    run.rule("network", "bootstrap-only", "CNIReady=False");
    run.node("n1", READY_TAINT, "{type: CNIReady, status: \"False\"}");
    String uid = run.ruleNow("network").at("/metadata/uid").asText();
    server.patch(
        "/api/v1/nodes/n1",
        "metadata: {annotations: {\"%s%s\": x}}".formatted(ReadinessRun.COMPLETED, uid));
    run.leaderChanges();
    run.await(() -> assertThat(run.taints("n1")).as("issue 382 of the original").isEmpty());
  }

  @Test
  void writeThatLosesAgainstAnotherWriterIsDecidedAgain() {
    run.rule("network", "bootstrap-only", "CNIReady=True");
    run.node("n1", READY_TAINT, "{type: CNIReady, status: \"True\"}");
    server.faults().failNextWrite(409, "the object has been modified", "");
    server.faults().failNextWrite(409, "the object has been modified", "");
    run.await(() -> assertThat(run.taints("n1")).isEmpty());
    assertThat(run.ruleNow("network").at("/status/failedNodes").isMissingNode()).isTrue();
  }

  @Test
  void missingPermissionIsReportedWithTheNodesThatWaitForIt() {
    server.faults().refuse("/nodes/n1", 403, "User \"x\" cannot patch resource \"nodes\"");
    run.node("n1", "", "");
    run.rule("network", "continuous", "CNIReady=True");
    run.await(() -> {
      assertThat(run.ruleNow("network").at("/status/failedNodes/0/reason").asText())
          .isEqualTo("AddTaintError");
      assertThat(run.ruleNow("network").at("/status/failedNodes/0/message").asText())
          .contains("resources: [nodes], verbs: [patch]");
      assertThat(run.report().problems().toString()).contains("cannot patch");
    });
    server.faults().refuse(null, 0, "");
    run.await(() -> {
      assertThat(run.taints("n1")).contains(TAINT);
      assertThat(run.ruleNow("network").at("/status").has("failedNodes")).isFalse();
      assertThat(run.report().problems()).isEmpty();
    });
  }

  /** NRR-2: half of the rules may release a node for good. */
  @Test
  void writesNothingBeforeAllRulesAndNodesAreListed() {
    run.stop();
    run.rule("network", "bootstrap-only", "CNIReady=True");
    run.node("n1", READY_TAINT, "{type: CNIReady, status: \"True\"}");
    server.faults().refuseReads("/nodereadinessrules", 403, "User \"x\" cannot list it");
    run.leaderChanges();
    run.await(() ->
        assertThat(run.report().problems().toString())
            .contains(
                "missing permission to list objects of kind NodeReadinessRule",
                "deploy/node-readiness/access.yaml"));
    assertThat(run.taints("n1")).containsExactly(TAINT);
    server.faults().refuseReads(null, 0, "");
    run.await(() -> assertThat(run.taints("n1")).isEmpty());
  }

  /** NRR-2: a rule on the next page may need the taint. */
  @Test
  void writesNothingBetweenThePagesOfTheRules() {
    run.stop();
    run.node("n1", READY_TAINT, "{type: CNIReady, status: \"True\"}");
    run.rule("a", "bootstrap-only", "CNIReady=True");
    for (int i = 0; i < 200; i++) { // rules that go do not count, and fill the first page
      server.put(
          """
          apiVersion: readiness.node.x-k8s.io/v1alpha1
          kind: NodeReadinessRule
          metadata:
            name: d-%03d
            deletionTimestamp: "2026-01-01T00:00:00Z"
            finalizers: [example.org/other]
          spec: {}
          """
              .formatted(i));
    }
    run.rule("z", "bootstrap-only", "CSIReady=True");
    server.faults().refuseReads("/nodereadinessrules?limit=200&continue=", 500, "busy");
    run.leaderChanges();
    run.await(() -> {
      assertThat(run.report().problems())
          .containsExactly("NodeReadinessRule objects are still being listed");
      assertThat(run.report().rules()).hasSizeGreaterThan(100);
    });
    run.time.advance(Duration.ofSeconds(10));
    assertThat(run.taints("n1")).containsExactly(TAINT);
    server.faults().refuseReads(null, 0, "");
    run.await(() -> assertThat(marks("n1")).isNotEmpty());
    assertThat(run.taints("n1")).containsExactly(TAINT);
  }

  @Test
  void deposedLeaderWritesNothing() {
    run.rule("network", "continuous", "CNIReady=True");
    run.await(() -> assertThat(run.ruleNow("network").at("/metadata/finalizers")).hasSize(1));
    run.depose();
    run.node("n1", "", "");
    run.time.advance(Duration.ofMinutes(1));
    assertThat(run.taints("n1")).isEmpty();
  }

  @Test
  void invalidRuleIsReportedAndItsTaintsStay() {
    run.rule("network", "bootstrap-only", "CNIReady=True");
    run.rule("other", "bootstrap-only", "CNIReady=True", TAINT, "conditionPolicy: anyOf");
    run.node("n1", READY_TAINT, "{type: CNIReady, status: \"True\"}");
    run.await(() -> {
      assertThat(reasons()).contains("InvalidRule");
      assertThat(run.report().rules())
          .extracting(AdmissionReport.RuleState::treatment)
          .containsExactly(Treatment.ACTIVE, Treatment.INVALID);
    });
    assertThat(run.report().problems().toString()).contains("rule other is invalid");
    assertThat(run.taints("n1")).containsExactly(TAINT);
    server.delete(RULES + "/other");
    run.await(() -> assertThat(run.taints("n1")).isEmpty());
  }

  /** NRR-12: one of the others may need it. */
  @Test
  void noTaintIsRemovedWhileThereAreMoreRulesThanTheLimit() {
    run.node("n1", READY_TAINT, "{type: CNIReady, status: \"True\"}");
    for (int i = 0; i <= RuleSet.MAX_RULES; i++) {
      run.rule(
          "rule-%03d".formatted(i), "bootstrap-only", "CNIReady=True", TAINT + i, "dryRun: true");
    }
    run.rule("aaa", "continuous", "CNIReady=True");
    run.await(() -> {
      assertThat(run.report().problems().toString()).contains("more than 100 rules exist");
      assertThat(run.report().rules())
          .extracting(AdmissionReport.RuleState::treatment)
          .contains(Treatment.BEYOND_LIMIT);
    });
    assertThat(run.taints("n1")).containsExactly(TAINT);
    server.delete(RULES + "/rule-000");
    server.delete(RULES + "/rule-001");
    run.await(() -> {
      assertThat(run.taints("n1")).isEmpty();
      assertThat(run.report().problems()).isEmpty();
    });
  }

  /** NRR-13: a node's kubelet sets how often its conditions change. */
  @Test
  void flappingNodeIsWrittenToAtALimitedRate() {
    run.rule("network", "continuous", "CNIReady=True");
    run.node("n1", "", "");
    run.await(() -> assertThat(run.taints("n1")).isNotEmpty());
    Instant start = run.time.clock().wallTime();
    int flips = 40;
    for (int i = 0; i < flips; i++) {
      boolean ready = i % 2 == 0;
      run.condition("n1", "CNIReady", ready ? "True" : "False");
      run.time
          .await(Duration.ofMillis(200))
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(run.taints("n1").isEmpty()).isEqualTo(ready));
    }
    Duration took = Duration.between(start, run.time.clock().wallTime());
    assertThat(took).isGreaterThan(NodeTable.REFILL.multipliedBy(flips - NodeTable.BURST - 1));
  }
}
