package io.probelet.remediator.controller;

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

/** Remediators in virtual time, one term after another, before a fake API server. */
final class RemediatorRun implements AutoCloseable {
  static final String DRAINS = "/apis/probelet.io/v1alpha1/namespaces/fix/drainremediations";
  static final String NAMESPACE = "probelet-system";

  final VirtualTime time = new VirtualTime();
  final FakeApiServer server;
  private final KubernetesClient client;
  private final List<RemediationKind> kinds;
  private AtomicBoolean on = new AtomicBoolean();
  private RemediatorController term;

  RemediatorRun() throws IOException {
    this(RemediationKind.DRAIN);
  }

  RemediatorRun(RemediationKind... kinds) throws IOException {
    this.kinds = List.of(kinds);
    server = new FakeApiServer(time.clock());
    client = server.client();
    term = begin(ActionGate.OPEN);
  }

  private RemediatorController begin(ActionGate gate) {
    AtomicBoolean current = new AtomicBoolean(true);
    on = current;
    return new RemediatorController(
        ApiServer.of(client, Duration.ofSeconds(5)),
        new RemediatorSettings("me", NAMESPACE, kinds, gate, HookEndpoint.HTTPS),
        time.clock(),
        new Random(7),
        RemediatorListener.NONE,
        current::get,
        time.loop("remediators"));
  }

  /** Another leader begins, which knows nothing but what is in the cluster. */
  void leaderChanges() {
    leaderChanges(ActionGate.OPEN);
  }

  void leaderChanges(ActionGate gate) {
    term.close();
    depose();
    term = begin(gate);
  }

  /** The lease is lost; whoever was at work does not know it yet. */
  void depose() {
    on.set(false);
  }

  RemediatorReport report() {
    var asked = term.report();
    time.runDue();
    return asked.join();
  }

  void node(String name, String rest) {
    server.put(
        """
        kind: Node
        apiVersion: v1
        metadata: {name: %s}
        spec: {%s}
        status:
          nodeInfo: {bootID: boot-%s}
          conditions: [{type: Ready, status: "Unknown"}]
        """
            .formatted(name, rest, name));
  }

  void pod(String node, String name) {
    server.put(
        """
        metadata: {namespace: web, name: %s}
        spec: {nodeName: %s}
        status: {phase: Running}
        """
            .formatted(name, node));
  }

  void drain(String name, String node, String spec) {
    server.put(
        """
        kind: DrainRemediation
        apiVersion: probelet.io/v1alpha1
        metadata:
          namespace: fix
          name: %s
          annotations: {remediation.medik8s.io/node-name: %s}
        spec: {%s}
        """
            .formatted(name, node, spec));
  }

  JsonNode drain(String name) {
    return server.get(DRAINS + "/" + name);
  }

  String phase(String name) {
    return drain(name).at("/status/phase").asText();
  }

  String message(String name) {
    return drain(name).at("/status/message").asText();
  }

  JsonNode nodeNow(String name) {
    return server.get("/api/v1/nodes/" + name);
  }

  void await(ThrowingRunnable assertion) {
    await(Duration.ofMillis(200), assertion);
  }

  void await(Duration step, ThrowingRunnable assertion) {
    time.await(step).atMost(Duration.ofSeconds(30)).untilAsserted(assertion);
  }

  @Override
  public void close() {
    term.close();
    client.close();
    server.close();
  }
}
