package io.probelet.remediator.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.FakeApiServer;
import io.probelet.remediator.controller.RemediatorReport.KindState;
import io.probelet.remediator.controller.RemediatorReport.Standing;
import io.probelet.remediator.decide.ActionHold;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationPhase;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The shell with the kind DrainRemediation, before an API server that has its moods. */
class RemediatorControllerTest {
  private static final String EVICTION = "/pods/a/eviction";
  private static final String CORDON = "/metadata/annotations/probelet.io~1cordoned-by";

  private RemediatorRun run;
  private FakeApiServer server;

  @BeforeEach
  void begin() throws IOException {
    run = new RemediatorRun();
    server = run.server;
    run.node("worker", "");
    // Somebody else's, so that nobody waits 45 s for an agent that is not there.
    server.put(
        """
        kind: NodeOrder
        apiVersion: probelet.io/v1alpha1
        metadata: {namespace: probelet-system, name: worker}
        """);
  }

  @AfterEach
  void end() {
    run.close();
  }

  @Test
  @DisplayName("A node is cordoned, its pods are evicted, and it takes pods again at the end")
  void drains() {
    run.pod("worker", "a");
    run.pod("other", "b");
    run.drain("worker", "worker", "");
    run.await(() -> assertThat(server.writesDone(EVICTION)).isNotEmpty());
    JsonNode eviction = server.writesDone(EVICTION).getFirst().json();
    String uid = server.get("/api/v1/namespaces/web/pods/a").at("/metadata/uid").asText();
    assertThat(eviction.at("/deleteOptions/preconditions/uid").asText()).isEqualTo(uid);
    JsonNode cordoned = run.nodeNow("worker");
    assertThat(cordoned.at("/spec/unschedulable").asBoolean()).isTrue();
    assertThat(cordoned.at(CORDON).asText())
        .isEqualTo(run.drain("worker").at("/metadata/uid").asText());
    server.delete("/api/v1/namespaces/web/pods/a");
    run.await(() -> assertThat(run.phase("worker")).isEqualTo("Done"));
    assertThat(server.writesDone("/pods/b/eviction")).isEmpty();
    assertThat(run.drain("worker").at("/status/evidence/digest/0").asText())
        .startsWith("no evidence: ");
    run.await(() ->
        assertThat(server.events())
            .extracting(event -> event.path("reason").asText())
            .contains("RemediationStarted", "NoEvidence", "Drained"));

    server.delete(RemediatorRun.DRAINS + "/worker");
    run.await(() -> assertThat(run.drain("worker").isMissingNode()).isTrue());
    assertThat(run.nodeNow("worker").at("/spec").has("unschedulable")).isFalse();
    assertThat(run.nodeNow("worker").at(CORDON).isMissingNode()).isTrue();
  }

  @Test
  @DisplayName("A right to watch that comes back is noticed, though no remediation comes")
  void rightComesBack() {
    int watches = 2; // each is opened after its list, so that no problem is no sign of both
    run.await(() -> {
      assertThat(server.openWatches()).isEqualTo(watches);
      assertThat(problems()).containsExactly("");
    });
    server.faults().refuseReads("/drainremediations?watch", 403, "User \"x\" cannot watch it");
    server.cut();
    run.await(() ->
        assertThat(problems().getFirst())
            .contains("missing permission to watch drainremed", "deploy/remediators/drain.yaml"));
    server.faults().refuseReads(null, 0, "");
    run.await(() -> {
      assertThat(server.openWatches()).isEqualTo(watches);
      server.bookmark();
      assertThat(problems()).containsExactly("");
    });
  }

  @Test
  @DisplayName("A right that shows to be missing in a turn is told with its file, until it is back")
  void rightMissingInATurn() {
    server.put(
        """
        metadata:
          namespace: web
          name: d
          ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, uid: u, controller: true}]
        spec: {nodeName: worker}
        status: {phase: Running}
        """);
    server
        .faults()
        .refuseReads("/daemonsets", 403, "User \"x\" cannot list resource \"daemonsets\"");
    run.drain("worker", "worker", "");
    run.await(() -> {
      assertThat(run.message("worker"))
          .startsWith("the DaemonSets cannot be read: 403 ")
          .contains("{apiGroups: [apps], resources: [daemonsets], verbs: [list]}")
          .endsWith("apply deploy/remediators/controller.yaml and deploy/remediators/drain.yaml")
          .doesNotContain("daemonset.yaml");
      assertThat(problems().getFirst())
          .contains("[daemonsets]", "deploy/remediators/drain.yaml")
          .doesNotContain("daemonset.yaml");
    });
    server.faults().refuseReads(null, 0, "");
    run.await(() -> {
      assertThat(run.message("worker")).doesNotContain("cannot be read");
      assertThat(problems()).containsExactly("");
    });
  }

  @Test
  @DisplayName("A missing right on orders is a problem of the kinds that agents carry out")
  void rightOnOrders() throws IOException {
    run.close();
    run = new RemediatorRun(RemediationKind.DRAIN, RemediationKind.REBOOT);
    run.server.faults().refuseReads("/nodeorders", 403, "User \"x\" cannot list it");
    run.await(() ->
        assertThat(run.report().kinds())
            .extracting(KindState::problem)
            .containsExactly(
                "",
                "missing permission to list nodeorders: apply deploy/remediators/controller.yaml"));
    run.server.faults().refuseReads(null, 0, "");
    run.await(() -> assertThat(problems()).containsExactly(""));
  }

  private List<String> problems() {
    return run.report().kinds().stream().map(KindState::problem).distinct().toList();
  }

  @Test
  @DisplayName("ACT-15: a budget that refuses is named, asked again, and may allow it")
  void budget() {
    run.pod("worker", "a");
    server.faults().refuse(EVICTION, 429, "the disruption budget web needs 1 healthy pods");
    run.drain("worker", "worker", "");
    run.await(() ->
        assertThat(run.message("worker"))
            .isEqualTo("1 pod is left: web/a (the disruption budget web needs 1 healthy pods)"));
    server.faults().refuse(null, 0, "");
    run.await(() -> assertThat(server.writesDone(EVICTION)).isNotEmpty());
    assertThat(run.phase("worker")).isEqualTo("Draining");
  }

  @Test
  @DisplayName("ACT-16: one that never allows it makes the drain fail, and the node stays cordoned")
  void budgetForever() {
    run.pod("worker", "a");
    server.faults().refuse(EVICTION, 429, "never");
    run.drain("worker", "worker", "timeout: 1m");
    run.await(Duration.ofSeconds(1), () -> assertThat(run.phase("worker")).isEqualTo("Failed"));
    assertThat(run.message("worker")).startsWith("after 1m0s 1 pod is left: web/a");
    assertThat(run.nodeNow("worker").at("/spec/unschedulable").asBoolean()).isTrue();
    assertThat(server.writes("/pods/a"))
        .allSatisfy(each -> assertThat(each.method()).isEqualTo("POST"));
  }

  @Test
  @DisplayName("ACT-6: a human's cordon is still there afterwards")
  void cordonedByAHuman() {
    run.node("worker", "unschedulable: true");
    run.drain("worker", "worker", "");
    run.await(() -> assertThat(run.phase("worker")).isEqualTo("Done"));
    server.delete(RemediatorRun.DRAINS + "/worker");
    run.await(() -> assertThat(run.drain("worker").isMissingNode()).isTrue());
    assertThat(run.nodeNow("worker").at("/spec/unschedulable").asBoolean()).isTrue();
    assertThat(server.writes("/nodes/worker")).isEmpty();
  }

  @Test
  @DisplayName("ACT-22: the node of a deleted remediation stays cordoned until its checks pass")
  void uncordonsAfterItsChecks() {
    run.drain(
        "worker",
        "worker",
        "uncordon: {conditions: [{type: Ready, status: \"True\"}], for: 1m, job: {template: {spec: {"
            + "template: {spec: {restartPolicy: Never, containers: [{name: check, image: i}]}}}}}}");
    run.await(() -> assertThat(run.phase("worker")).isEqualTo("Done"));
    String uid = run.drain("worker").at("/metadata/uid").asText();
    server.delete(RemediatorRun.DRAINS + "/worker");
    run.await(() ->
        assertThat(run.drain("worker").path("status").path("conditions").toString())
            .contains("UncordonPending", "Ready is Unknown, not True"));
    run.leaderChanges();
    server.patch("/api/v1/nodes/worker", "status: {conditions: [{type: Ready, status: \"True\"}]}");
    String job = "/apis/batch/v1/namespaces/fix/jobs/probelet-uncordon-" + uid;
    run.await(Duration.ofSeconds(2), () -> assertThat(server.get(job).isMissingNode()).isFalse());
    assertThat(run.nodeNow("worker").at("/spec/unschedulable").asBoolean()).isTrue();
    server.patch(job, "status: {conditions: [{type: Complete, status: \"True\"}]}");
    run.await(() -> assertThat(run.drain("worker").isMissingNode()).isTrue());
    assertThat(run.nodeNow("worker").at("/spec").has("unschedulable")).isFalse();
  }

  @Test
  @DisplayName("ACT-22: a node whose checks do not pass in time stays cordoned, and says why")
  void keepsANodeCordoned() {
    run.drain("worker", "worker", "uncordon: {timeout: 1m}");
    run.await(() -> assertThat(run.phase("worker")).isEqualTo("Done"));
    server.delete(RemediatorRun.DRAINS + "/worker");
    run.await(
        Duration.ofSeconds(2), () -> assertThat(run.drain("worker").isMissingNode()).isTrue());
    JsonNode node = run.nodeNow("worker");
    assertThat(node.at("/spec/unschedulable").asBoolean()).isTrue();
    assertThat(node.at(CORDON).isMissingNode()).isTrue();
    assertThat(node.at("/metadata/annotations/probelet.io~1kept-cordoned").asText())
        .isEqualTo("not uncordoned within 1m0s: Ready is Unknown, not True");
    run.await(() ->
        assertThat(server.events())
            .extracting(event -> event.path("reason").asText())
            .contains("UncordonPending", "UncordonTimedOut")
            .doesNotContain("Uncordoned"));
  }

  @Test
  @DisplayName("ACT-3: the second remediation of a node waits with a reason, then runs")
  void oneAtATime() {
    run.pod("worker", "a");
    run.drain("first", "worker", "");
    run.await(() -> assertThat(run.phase("first")).isEqualTo("Draining"));
    run.drain("second", "worker", "");
    run.await(() -> assertThat(run.phase("second")).isEqualTo("Held"));
    assertThat(run.message("second"))
        .isEqualTo(
            "NodeBusy: node worker is being remediated by DrainRemediation fix/first; one remediation per node at a time");
    server.delete("/api/v1/namespaces/web/pods/a");
    run.await(() -> assertThat(run.phase("first")).isEqualTo("Done"));
    run.await(() -> assertThat(run.phase("second")).isEqualTo("Done"));
  }

  @Test
  @DisplayName("ACT-4: reports a policy's hold and does nothing until it ends")
  void held() {
    Optional<ActionHold> hold = Optional.of(new ActionHold("Paused", "by policy all"));
    run.leaderChanges((_, _, _) -> hold);
    run.drain("worker", "worker", "");
    run.await(() -> assertThat(run.message("worker")).isEqualTo("Paused: by policy all"));
    assertThat(run.drain("worker").at("/metadata/finalizers").isEmpty()).isTrue();
    run.await(() ->
        assertThat(run.report().requests())
            .extracting(Standing::phase)
            .containsExactly(RemediationPhase.HELD));
    run.leaderChanges();
    run.await(() -> assertThat(run.phase("worker")).isEqualTo("Done"));
  }

  @Test
  @DisplayName("ACT-9: writes nothing after lost leadership; the next leader resumes")
  void deposed() {
    run.pod("worker", "a");
    run.drain("worker", "worker", "");
    run.await(() -> assertThat(run.phase("worker")).isEqualTo("Draining"));
    run.depose();
    run.time.advance(Duration.ofSeconds(1));
    int written = server.writes("worker").size();
    server.delete("/api/v1/namespaces/web/pods/a");
    run.time.advance(Duration.ofMinutes(2));
    assertThat(server.writes("/drainremediations/worker").size()).isLessThanOrEqualTo(written);
    assertThat(run.phase("worker")).isEqualTo("Draining");
    run.leaderChanges();
    run.await(() -> assertThat(run.phase("worker")).isEqualTo("Done"));
  }

  @Test
  @DisplayName("Conflicts, errors, silence and lost watches only make it take longer")
  void faults() {
    run.pod("worker", "a");
    server.faults().failNextWrite(409, "modified", "");
    server.faults().failNextWrite(500, "etcd", "");
    server.faults().failNextWrite(429, "slow down", "1");
    server.faults().failNextWrite(0, "", "");
    run.drain("worker", "worker", "");
    run.await(() -> assertThat(run.phase("worker")).isEqualTo("Draining"));
    server.expireWatches();
    server.faults().failNextWrite(500, "etcd", "");
    run.await(() -> assertThat(server.writesDone(EVICTION)).isNotEmpty());
    server.faults().away(true);
    run.time.advance(Duration.ofSeconds(20));
    server.faults().away(false);
    server.delete("/api/v1/namespaces/web/pods/a");
    run.await(() -> assertThat(run.phase("worker")).isEqualTo("Done"));
    assertThat(server.writesDone("/nodes/worker")).as("cordoned once").hasSize(1);
  }

  @Test
  @DisplayName("ACT-11: what no watch has shown is found by the next turn")
  void resync() {
    run.pod("worker", "a");
    run.drain("worker", "worker", "");
    run.await(() -> assertThat(run.phase("worker")).isEqualTo("Draining"));
    server.cut();
    server.delete(RemediatorRun.DRAINS + "/worker");
    run.await(
        Duration.ofSeconds(5), () -> assertThat(run.drain("worker").isMissingNode()).isTrue());
  }

  @Test
  @DisplayName("ACT-19: an invalid spec fails and names the problem")
  void invalid() {
    run.drain("worker", "worker", "timeout: soon");
    run.await(() -> assertThat(run.phase("worker")).isEqualTo("Failed"));
    assertThat(run.message("worker")).contains("spec.timeout");
    assertThat(server.writes("/nodes/worker")).isEmpty();
  }

  @Test
  @DisplayName("ACT-18: for a node that is not there nothing can be done")
  void noNode() {
    run.drain("../x", "../x", "");
    run.drain("gone", "gone", "");
    run.await(() -> assertThat(run.phase("gone")).isEqualTo("Failed"));
    assertThat(run.message("gone")).isEqualTo("node gone does not exist");
  }

  @Test
  @DisplayName(
      "ACT-10: the agent's evidence is in the status, and its order gone, before the first action")
  void evidence() {
    String order = "/apis/probelet.io/v1alpha1/namespaces/probelet-system/nodeorders/worker";
    server.delete(order);
    run.drain("worker", "worker", "");
    run.await(() -> assertThat(server.get(order).isMissingNode()).isFalse());
    assertThat(server.get(order).at("/spec/remediation/uid").asText())
        .isEqualTo(run.drain("worker").at("/metadata/uid").asText());
    server.patch(order, "{status: {phase: Claimed, bootID: boot-worker}}");
    run.await(() -> assertThat(server.get(order).at("/spec/granted").asBoolean()).isTrue());
    assertThat(server.writes("/nodes/worker")).isEmpty();
    server.patch(
        order,
        "{status: {phase: Done, evidence: {name: e.tgz, sha256: ff, bytes: 9, digest: [OOM]}}}");
    run.await(() -> assertThat(run.phase("worker")).isEqualTo("Done"));
    assertThat(server.get(order).isMissingNode()).isTrue();
    assertThat(run.drain("worker").at("/status/evidence/name").asText()).isEqualTo("e.tgz");
  }
}
