package io.probelet.nodehealth.readiness.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.VirtualTime;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.StreamSupport;
import org.awaitility.core.ThrowingRunnable;

/** Node admission in virtual time, one term after another, before a fake API server. */
final class ReadinessRun implements AutoCloseable {
  static final String RULES = "/apis/readiness.node.x-k8s.io/v1alpha1/nodereadinessrules";
  static final String TAINT = "readiness.k8s.io/network";
  static final String COMPLETED = "readiness.k8s.io/bootstrap-completed-";

  final VirtualTime time = new VirtualTime();
  final FakeApiServer server;
  private final KubernetesClient client;
  private AtomicBoolean on = new AtomicBoolean();
  private NodeReadinessController term;

  ReadinessRun() throws IOException {
    server = new FakeApiServer(time.clock());
    client = server.client();
    term = begin();
  }

  private NodeReadinessController begin() {
    AtomicBoolean current = new AtomicBoolean(true);
    on = current;
    return new NodeReadinessController(
        ApiServer.of(client, Duration.ofSeconds(5)),
        "me",
        time.clock(),
        new Random(7),
        ReadinessListener.NONE,
        current::get,
        time.loop("node-readiness"));
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

  AdmissionReport report() {
    var asked = term.report();
    time.runDue();
    return asked.join();
  }

  void rule(String name, String mode, String conditions) {
    rule(name, mode, conditions, TAINT, "");
  }

  /** Conditions such as {@code CNIReady=True}, which must all hold. */
  void rule(String name, String mode, String conditions, String taint, String more) {
    StringBuilder list = new StringBuilder();
    for (String each : conditions.split(" ", -1)) {
      String[] pair = each.split("=", -1);
      list.append("{type: %s, requiredStatus: \"%s\"},".formatted(pair[0], pair[1]));
    }
    server.put(
        """
        apiVersion: readiness.node.x-k8s.io/v1alpha1
        kind: NodeReadinessRule
        metadata: {name: %s, generation: 1}
        spec:
          enforcementMode: %s
          conditions: [%s]
          taint: {key: %s, effect: NoSchedule}
          nodeSelector: {matchLabels: {role: worker}}
          %s
        """
            .formatted(name, mode, list, taint, more));
  }

  void node(String name, String taints, String conditions) {
    server.put(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: %s, labels: {role: worker}, annotations: {a: b}}
        spec: {taints: [%s]}
        status: {conditions: [%s]}
        """
            .formatted(name, taints, conditions));
  }

  void condition(String node, String type, String status) {
    server.patch(
        "/api/v1/nodes/" + node,
        "status: {conditions: [{type: %s, status: \"%s\"}]}".formatted(type, status));
  }

  JsonNode nodeNow(String name) {
    return server.get("/api/v1/nodes/" + name);
  }

  List<String> taints(String node) {
    return StreamSupport.stream(nodeNow(node).at("/spec/taints").spliterator(), false)
        .map(taint -> taint.path("key").asText())
        .toList();
  }

  boolean isCompleted(String node, String rule) {
    String uid = ruleNow(rule).at("/metadata/uid").asText();
    return nodeNow(node).path("metadata").path("annotations").has(COMPLETED + uid);
  }

  JsonNode ruleNow(String name) {
    return server.get(RULES + "/" + name);
  }

  void await(ThrowingRunnable assertion) {
    time.await(Duration.ofMillis(200)).atMost(Duration.ofSeconds(30)).untilAsserted(assertion);
  }

  @Override
  public void close() {
    stop();
    client.close();
    server.close();
  }
}
