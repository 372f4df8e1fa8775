package io.probelet.remediator.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.VirtualTime;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.remediator.decide.ActionGate;
import io.probelet.remediator.resource.RemediationKind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The shell with machines, nodes that are off and Jobs, from the order to its end. */
class OtherKindsTermTest {
  private static final String NODE = "/api/v1/nodes/worker";
  private static final String MACHINE = "/apis/cluster.x-k8s.io/v1beta1/namespaces/c/machines/m";

  private final VirtualTime time = new VirtualTime();
  private final FakeApiServer server = new FakeApiServer(time.clock());
  private final KubernetesClient client = server.client();
  private AtomicBoolean on = new AtomicBoolean();
  private RemediatorController term;

  OtherKindsTermTest() throws IOException {
    term = begin();
  }

  private RemediatorController begin() {
    AtomicBoolean current = new AtomicBoolean(true);
    on = current;
    return new RemediatorController(
        ApiServer.of(client, Duration.ofSeconds(5)),
        new RemediatorSettings(
            "me",
            "probelet-system",
            List.of(RemediationKind.MACHINE, RemediationKind.OUT_OF_SERVICE, RemediationKind.HOOK),
            ActionGate.OPEN,
            HookEndpoint.HTTPS),
        time.clock(),
        new Random(7),
        RemediatorListener.NONE,
        current::get,
        time.loop("remediators"));
  }

  private void leaderChanges() {
    term.close();
    on.set(false);
    term = begin();
  }

  @BeforeEach
  void node() {
    server.serve("cluster.x-k8s.io/v1beta1", "Machine");
    server.serve("batch/v1", "Job");
    server.put(
        """
        kind: Node
        apiVersion: v1
        metadata:
          name: worker
          annotations: {cluster.x-k8s.io/machine: m, cluster.x-k8s.io/cluster-namespace: c}
        spec: {}
        status:
          nodeInfo: {bootID: b00t-1}
          conditions: [{type: Ready, status: "Unknown"}]
        """);
  }

  @AfterEach
  void end() {
    term.close();
    client.close();
    server.close();
  }

  private static String path(RemediationKind kind) {
    return "/apis/probelet.io/v1alpha1/namespaces/fix/%s/worker".formatted(kind.plural());
  }

  private void order(RemediationKind kind, String spec) {
    server.put(
        """
        kind: %s
        apiVersion: probelet.io/v1alpha1
        metadata: {namespace: fix, name: worker}
        spec: %s
        """
            .formatted(kind.kind(), spec));
  }

  private String status(RemediationKind kind, String field) {
    return server.get(path(kind)).path("status").path(field).asText();
  }

  private void await(ThrowingRunnable assertion) {
    time.await(Duration.ofSeconds(1)).atMost(Duration.ofSeconds(30)).untilAsserted(assertion);
  }

  private void awaitPhase(RemediationKind kind, String phase) {
    await(() -> assertThat(status(kind, "phase")).isEqualTo(phase));
  }

  private void withdraw(RemediationKind kind) {
    server.delete(path(kind));
    await(() -> assertThat(server.get(path(kind)).isMissingNode()).isTrue());
  }

  private String mark() {
    return server
        .get(MACHINE)
        .at("/metadata/annotations/cluster.x-k8s.io~1remediate-machine")
        .asText();
  }

  private void machine() {
    server.put(
        """
        apiVersion: cluster.x-k8s.io/v1beta1
        kind: Machine
        metadata:
          name: m
          namespace: c
          ownerReferences:
          - {apiVersion: cluster.x-k8s.io/v1beta1, kind: MachineSet, name: s, controller: true}
        status: {nodeRef: {name: worker}}
        """);
  }

  @Test
  @DisplayName("ACT-53, ACT-54: a Machine is marked, and its end is the end of the remediation")
  void machines() {
    machine();
    order(RemediationKind.MACHINE, "{}");
    awaitPhase(RemediationKind.MACHINE, "Waiting");
    String uid = server.get(path(RemediationKind.MACHINE)).at("/metadata/uid").asText();
    await(() -> assertThat(mark()).isEqualTo(uid));
    assertThat(server.get(path(RemediationKind.MACHINE)).at("/status/conditions").toString())
        .contains("\"PermanentNodeDeletionExpected\",\"status\":\"True\"");
    leaderChanges();
    server.delete(MACHINE);
    awaitPhase(RemediationKind.MACHINE, "Done");
  }

  @Test
  @DisplayName("ACT-54 a node that is healthy before keeps its Machine")
  void machineKept() {
    machine();
    order(RemediationKind.MACHINE, "{}");
    await(() -> assertThat(mark()).isNotEmpty());
    withdraw(RemediationKind.MACHINE);
    assertThat(mark()).isEmpty();
    assertThat(server.get(MACHINE).isObject()).isTrue();
  }

  @Test
  @DisplayName("ACT-58, ACT-60: confirmed, tainted, done; and the taint goes with the remediation")
  void outOfService() {
    order(RemediationKind.OUT_OF_SERVICE, "{confirmation: {annotation: {}}}");
    await(() ->
        assertThat(status(RemediationKind.OUT_OF_SERVICE, "message"))
            .isEqualTo("if the node is off, annotate it: probelet.io/power-off=b00t-1"));
    assertThat(server.writes(NODE)).isEmpty();
    leaderChanges();
    server.patch(NODE, "metadata: {annotations: {probelet.io/power-off: b00t-1}}");
    awaitPhase(RemediationKind.OUT_OF_SERVICE, "Done");
    JsonNode taint = server.get(NODE).at("/spec/taints/0");
    assertThat(taint.path("key").asText()).isEqualTo("node.kubernetes.io/out-of-service");
    assertThat(taint.path("value").asText()).isEqualTo("nodeshutdown");
    assertThat(taint.path("effect").asText()).isEqualTo("NoExecute");
    withdraw(RemediationKind.OUT_OF_SERVICE);
    assertThat(server.get(NODE).at("/spec/taints")).isEmpty();
  }

  @Test
  @DisplayName("ACT-57 creates one Job across leaders, and its end ends the remediation")
  void job() {
    order(
        RemediationKind.HOOK,
        "{job: {template: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: i}]}}}}}}");
    await(
        () -> assertThat(status(RemediationKind.HOOK, "message")).isEqualTo("the Job is running"));
    leaderChanges();
    String uid = server.get(path(RemediationKind.HOOK)).at("/metadata/uid").asText();
    String job = "/apis/batch/v1/namespaces/fix/jobs/probelet-hook-" + uid;
    assertThat(server.get(job).at("/spec/template/spec/containers/0/env/0/value").asText())
        .isEqualTo("worker");
    assertThat(server.get(job).at("/metadata/ownerReferences/0/uid").asText()).isEqualTo(uid);
    server.patch(job, "status: {conditions: [{type: Complete, status: \"True\"}]}");
    awaitPhase(RemediationKind.HOOK, "Done");
    assertThat(server.writesDone("/jobs")).hasSize(1);
  }

  @Test
  @DisplayName("ACT-57 fails with the reason if the controller may not create Jobs")
  void forbidden() {
    server.faults().refuse("/jobs", 403, "jobs.batch is forbidden");
    order(
        RemediationKind.HOOK,
        "{job: {template: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: i}]}}}}}}");
    awaitPhase(RemediationKind.HOOK, "Failed");
    assertThat(status(RemediationKind.HOOK, "message"))
        .contains("the Job cannot be created", "jobs.batch is forbidden");
  }

  @Test
  @DisplayName("ACT-55 retries an unreachable endpoint until retryFor, then fails")
  void unreachable() {
    order(
        RemediationKind.HOOK,
        "{https: {url: 'https://127.0.0.1:1/secret', timeout: 1s, retryFor: 30s}}");
    awaitPhase(RemediationKind.HOOK, "Failed");
    assertThat(status(RemediationKind.HOOK, "message"))
        .startsWith("call ")
        .endsWith("gave up after 30s")
        .doesNotContain("secret");
  }

  @Test
  @DisplayName("ACT-50 one that is refused is not carried out")
  void invalid() {
    order(RemediationKind.HOOK, "{}");
    awaitPhase(RemediationKind.HOOK, "Failed");
    assertThat(status(RemediationKind.HOOK, "message")).contains("one of https and job");
  }
}
