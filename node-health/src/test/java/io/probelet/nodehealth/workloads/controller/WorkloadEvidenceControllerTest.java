package io.probelet.nodehealth.workloads.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.FakeApiServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The shell of the evidence by workloads before an API server that has its moods. */
@Timeout(180)
class WorkloadEvidenceControllerTest {
  private static final String WORKING = "False WorkloadsWorking";
  private static final String FAILING = "True WorkloadsFailing";
  private static final String UNKNOWN = "Unknown WorkloadsUnknown";

  private EvidenceRun run;
  private FakeApiServer server;

  @BeforeEach
  void begin() throws IOException {
    run = new EvidenceRun(100);
    server = run.server;
  }

  @AfterEach
  void end() {
    run.close();
  }

  private List<String> reasons() {
    return server.events().stream().map(event -> event.path("reason").asText()).toList();
  }

  private void allWork() {
    run.nodes(4);
    run.await(() -> {
      for (int i = 1; i <= 4; i++) {
        assertThat(run.shown("n" + i)).isEqualTo(WORKING);
      }
    });
  }

  private void oneFails() {
    allWork();
    run.pods(1, false);
    run.await(() -> assertThat(run.shown("n1")).isEqualTo(FAILING));
  }

  @Test
  void conditionFollowsTheWorkloadsAndOthersStay() {
    oneFails();
    JsonNode condition = run.condition("n1");
    assertThat(condition.path("message").asText())
        .isEqualTo(
            "3 of 3 workloads fail on this node and work on others: DaemonSet a/web,"
                + " DaemonSet b/web, DaemonSet c/web");
    String since = condition.path("lastTransitionTime").asText();
    assertThat(since).startsWith("2026-01-01T00:");
    assertThat(server.get("/api/v1/nodes/n1").at("/status/conditions").toString())
        .contains("KubeletReady", "KernelDeadlock");
    assertThat(run.shown("n2")).isEqualTo(WORKING);
    run.await(() -> assertThat(reasons()).contains("WorkloadsFailing"));

    run.pods(1, true);
    run.await(() -> assertThat(run.shown("n1")).isEqualTo(WORKING));
    assertThat(run.condition("n1").path("lastTransitionTime").asText()).isGreaterThan(since);
    run.await(() -> assertThat(reasons()).contains("WorkloadsNoLongerFailing"));
  }

  /** WE-13. */
  @Test
  void conditionIsWrittenOnChangeOnly() {
    oneFails();
    int writes = run.writes();
    assertThat(writes).isEqualTo(5);
    run.time.advance(Duration.ofHours(1));
    run.await(() -> assertThat(run.report().pods()).isEqualTo(12));
    assertThat(run.writes()).isEqualTo(writes);
  }

  /** WE-13: the node of that name may be another one by then. */
  @Test
  void writesNameTheNodesUid() {
    allWork();
    assertThat(server.writesDone("/nodes/n1/status").getFirst().json().at("/metadata/uid").asText())
        .isEqualTo(server.get("/api/v1/nodes/n1").at("/metadata/uid").asText())
        .isNotEmpty();
  }

  /** WE-13: two writers that insist must not load the API server. */
  @Test
  void conditionThatSomebodyElseChangesIsRestoredNowAndThen() {
    allWork();
    int writes = server.writesDone("/nodes/n1/status").size();
    for (int i = 0; i < 12; i++) {
      server.patch(
          "/api/v1/nodes/n1",
          "status: {conditions: [{type: WorkloadsFailing, status: \"True\", reason: x, message: y%d}]}"
              .formatted(i));
      run.time.advance(Duration.ofSeconds(5));
    }
    run.await(() -> assertThat(run.shown("n1")).isEqualTo(WORKING));
    assertThat(server.writesDone("/nodes/n1/status").size() - writes).isBetween(1, 4);
    assertThat(run.shown("n2")).isEqualTo(WORKING);
  }

  /** WE-12. */
  @Test
  void nextLeaderLeavesTheConditionAsItIs() {
    oneFails();
    int writes = run.writes();
    run.leaderChanges();
    run.await(() -> assertThat(run.report().pods()).isEqualTo(12));
    long start = run.time.clock().nanoTime();
    run.await(() ->
        assertThat(run.time.clock().nanoTime() - start)
            .isGreaterThan(Duration.ofMinutes(20).toNanos()));
    assertThat(run.shown("n1")).isEqualTo(FAILING);
    assertThat(run.writes()).isEqualTo(writes);
    run.pods(1, true);
    run.await(() -> assertThat(run.shown("n1")).isEqualTo(WORKING));
  }

  @Test
  void deposedLeaderWritesNothing() {
    allWork();
    int writes = run.writes();
    run.depose();
    run.pods(1, false);
    run.time.advance(Duration.ofMinutes(30));
    server.bookmark();
    run.time.advance(Duration.ofMinutes(30));
    assertThat(run.writes()).isEqualTo(writes);
  }

  /** WE-10: never healthy, because nobody looked. */
  @Test
  void missingPermissionInANamespaceIsReportedAndNodesAreUnknown() {
    run.stop();
    server
        .faults()
        .refuseReads("/namespaces/b/pods", 403, "User \"x\" cannot list resource \"pods\"");
    run.nodes(4);
    run.leaderChanges();
    run.await(() -> {
      assertThat(run.report().problems())
          .containsExactly(
              "missing permission to list pods in namespace b: bind the ClusterRole"
                  + " probelet-workload-pods there, see deploy/workload-evidence/access.yaml");
      assertThat(run.shown("n1")).isEqualTo(UNKNOWN);
    });
    server.faults().refuseReads(null, 0, "");
    run.await(() -> assertThat(run.shown("n1")).isEqualTo(WORKING));
    assertThat(run.report().problems()).isEmpty();
  }

  /** WE-10. */
  @Test
  void missingPermissionForNodesIsReported() {
    run.stop();
    server.faults().refuseReads("/api/v1/nodes", 403, "User \"x\" cannot list it");
    run.leaderChanges();
    run.await(() ->
        assertThat(run.report().problems())
            .contains(
                "missing permission to list nodes: apply deploy/workload-evidence/access.yaml"));
  }

  /** WE-10. */
  @Test
  void lostWatchMakesAllNodesUnknownAndNoneWorking() {
    oneFails();
    server.faults().refuseReads("/namespaces/c/pods", 500, "busy");
    server.cut();
    run.pods(1, true);
    run.await(() -> {
      assertThat(run.shown("n1")).isEqualTo(UNKNOWN);
      assertThat(run.shown("n2")).isEqualTo(UNKNOWN);
    });
    assertThat(run.report().problems())
        .containsExactly("the watch on pods of namespace c is interrupted");
    server.faults().refuseReads(null, 0, "");
    run.await(() -> assertThat(run.shown("n1")).isEqualTo(WORKING));
  }

  @Test
  void refusedWritesAreReportedAndTriedAgain() {
    server
        .faults()
        .refuse("/nodes/n1/status", 403, "User \"x\" cannot patch resource \"nodes/status\"");
    run.nodes(4);
    run.await(() -> {
      assertThat(run.shown("n2")).isEqualTo(WORKING);
      assertThat(run.report().problems().toString()).contains("cannot patch");
    });
    assertThat(run.shown("n1")).isEmpty();
    server.faults().refuse(null, 0, "");
    run.await(() -> assertThat(run.shown("n1")).isEqualTo(WORKING));
    assertThat(run.report().problems()).isEmpty();
  }

  /** WE-14: also what the watches keep has a limit. */
  @Test
  void tooManyPodsStopThePodWatches() {
    allWork();
    for (int node = 5; node < 40; node++) {
      run.pods(node, true);
    }
    run.await(() -> {
      assertThat(run.report().problems().toString()).contains("more than 100 pods exist");
      assertThat(run.report().pods()).isZero();
      assertThat(run.shown("n1")).isEqualTo(UNKNOWN);
    });
    run.await(() -> assertThat(server.openWatches()).isEqualTo(1));
  }

  @Test
  void deletedNodeIsForgotten() {
    oneFails();
    server.delete("/api/v1/nodes/n1");
    run.await(() -> assertThat(run.report().nodes().values()).containsExactly(3));
  }
}
