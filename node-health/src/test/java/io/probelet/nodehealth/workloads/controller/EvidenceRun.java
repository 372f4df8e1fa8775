package io.probelet.nodehealth.workloads.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.VirtualTime;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.nodehealth.workloads.ComparedWorkloads;
import io.probelet.nodehealth.workloads.WorkloadSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.core.ThrowingRunnable;

/** Evidence by workloads in virtual time, one term after another, before a fake API server. */
final class EvidenceRun implements AutoCloseable {
  static final List<String> NAMESPACES = List.of("a", "b", "c");
  private static final WorkloadSettings SETTINGS =
      new WorkloadSettings(NAMESPACES, Duration.ofMinutes(5), 3, 60);

  final VirtualTime time = new VirtualTime();
  final FakeApiServer server;
  private final KubernetesClient client;
  private final int maxPods;
  private AtomicBoolean on = new AtomicBoolean();
  private WorkloadEvidenceController term;

  EvidenceRun(int maxPods) throws IOException {
    this.maxPods = maxPods;
    server = new FakeApiServer(time.clock());
    client = server.client();
    term = begin();
  }

  private WorkloadEvidenceController begin() {
    AtomicBoolean current = new AtomicBoolean(true);
    on = current;
    return new WorkloadEvidenceController(
        ApiServer.of(client, Duration.ofSeconds(5)),
        SETTINGS,
        new ComparedWorkloads(SETTINGS, maxPods),
        "me",
        time.clock(),
        new Random(7),
        EvidenceListener.NONE,
        current::get,
        time.loop("workload-evidence"));
  }

  /** Another leader begins, which knows nothing but what is in the cluster. */
  void leaderChanges() {
    stop();
    term = begin();
  }

  void stop() {
    term.close();
    on.set(false);
  }

  /** The lease is lost, and the leader does not know it yet. */
  void depose() {
    on.set(false);
  }

  EvidenceReport report() {
    var asked = term.report();
    time.runDue();
    return asked.join();
  }

  /** Nodes n1, n2, … with a pod of each namespace's workload. */
  void nodes(int count) {
    for (int i = 1; i <= count; i++) {
      server.put(
          """
          apiVersion: v1
          kind: Node
          metadata: {name: n%d}
          spec: {}
          status:
            conditions:
            - {type: Ready, status: "True", reason: KubeletReady}
            - {type: KernelDeadlock, status: "False", message: fine}
          """
              .formatted(i));
      for (String namespace : NAMESPACES) {
        pod(namespace, i, true);
      }
    }
  }

  void pod(String namespace, int node, boolean ready) {
    server.put(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          namespace: %1$s
          name: web-n%2$d
          ownerReferences:
          - apiVersion: apps/v1
            kind: DaemonSet
            name: web
            uid: 0a0a0a0a-0000-0000-0000-000000000001
            controller: true
          labels: {controller-revision-hash: h}
        spec: {nodeName: n%2$d, containers: [{name: c}]}
        status:
          phase: Running
          conditions: [{type: Ready, status: "%3$s"}]
          containerStatuses: [{name: c, started: true, restartCount: 0, state: {running: {}}}]
        """
            .formatted(namespace, node, ready ? "True" : "False"));
  }

  /** Sets the pods of a node to Ready or not. */
  void pods(int node, boolean ready) {
    NAMESPACES.forEach(namespace -> pod(namespace, node, ready));
  }

  JsonNode condition(String node) {
    for (JsonNode condition : server.get("/api/v1/nodes/" + node).at("/status/conditions")) {
      if (condition.path("type").asText().equals("WorkloadsFailing")) {
        return condition;
      }
    }
    return MissingNode.getInstance();
  }

  /** The status and reason of the condition, such as {@code True WorkloadsFailing}. */
  String shown(String node) {
    JsonNode condition = condition(node);
    return (condition.path("status").asText() + " " + condition.path("reason").asText()).strip();
  }

  int writes() {
    return server.writesDone("/status").size();
  }

  /** Awaits something while virtual time passes and the server sends its bookmarks. */
  void await(ThrowingRunnable assertion) {
    time.await(Duration.ofSeconds(5))
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> {
          server.bookmark();
          assertion.run();
        });
  }

  @Override
  public void close() {
    stop();
    client.close();
    server.close();
  }
}
