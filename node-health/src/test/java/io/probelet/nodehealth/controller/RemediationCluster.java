package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.VirtualTime;
import io.probelet.kube.FakeApiServer;
import io.probelet.kube.WireTime;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.awaitility.core.ConditionFactory;

/** Nodes, NodeHealthChecks and remediations of an API server, for tests to change and look at. */
final class RemediationCluster {
  static final String LEASES = "medik8s-leases";

  private final FakeApiServer api;
  private final VirtualTime time;

  RemediationCluster(FakeApiServer api, VirtualTime time) {
    this.api = api;
    this.time = time;
  }

  static String node(String name) {
    return "/api/v1/nodes/" + name;
  }

  static String remediations(String kind, String name) {
    return "/apis/example.io/v1/namespaces/remedies/%ss/%s"
        .formatted(kind.toLowerCase(Locale.ROOT), name);
  }

  static String checkPath(String name) {
    return "/apis/remediation.medik8s.io/v1alpha1/nodehealthchecks/" + name;
  }

  void addNode(String name, String... labels) {
    api.put(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: %s, labels: {worker: "yes"%s}}
        status:
          conditions: [{type: Ready, status: "True", lastTransitionTime: "%s"}]
        """
            .formatted(
                name,
                labels.length == 0 ? "" : ", " + String.join(": '', ", labels) + ": ''",
                now()));
  }

  void ready(String node, String status) {
    api.patch(
        node(node),
        "{status: {conditions: [{type: Ready, status: '%s', lastTransitionTime: '%s'}]}}"
            .formatted(status, now()));
  }

  void annotateNode(String node, String key, String value) {
    api.patch(node(node), "{metadata: {annotations: {'%s': '%s'}}}".formatted(key, value));
  }

  void template(String kind, String name) {
    api.put(
        """
        apiVersion: example.io/v1
        kind: %s
        metadata: {name: %s, namespace: remedies}
        spec: {template: {spec: {strategy: Automatic}}}
        """
            .formatted(kind, name));
  }

  /** Says whether a template's kind may be used twice for a node; null leaves it open. */
  void annotateTemplate(String kind, String name, String multiple) {
    api.patch(
        remediations(kind, name),
        "{metadata: {annotations: {%s: %s}}}"
            .formatted(
                WireNames.MULTIPLE_TEMPLATES, multiple == null ? null : "'" + multiple + "'"));
  }

  /** A NodeHealthCheck for the nodes with the label worker, unhealthy after a minute. */
  void check(String name, String remedy) {
    api.put(
        """
        apiVersion: remediation.medik8s.io/v1alpha1
        kind: NodeHealthCheck
        metadata: {name: %s}
        spec:
          selector: {matchLabels: {worker: "yes"}}
          minHealthy: 0
          unhealthyConditions:
          - {type: Ready, status: Unknown, duration: 60s}
          - {type: Ready, status: "False", duration: 60s}
        %s\
        """
            .formatted(name, remedy.indent(2)));
  }

  static String template(String kind) {
    return """
    remediationTemplate:
      {apiVersion: example.io/v1, kind: %s, namespace: remedies, name: reboot}
    """
        .formatted(kind);
  }

  static String escalation(String... kinds) {
    StringBuilder steps = new StringBuilder("escalatingRemediations:\n");
    for (int i = 0; i < kinds.length; i++) {
      steps.append(
          """
          - order: %d
            timeout: 600s
            remediationTemplate:
              {apiVersion: example.io/v1, kind: %s, namespace: remedies, name: reboot}
          """
              .formatted(i, kinds[i]));
    }
    return steps.toString();
  }

  List<ObjectNode> remediations(String kind) {
    return api.list(remediations(kind, ""));
  }

  JsonNode remediation(String kind, String node) {
    return api.get(remediations(kind, node));
  }

  JsonNode check(String name) {
    return api.get(checkPath(name));
  }

  String version(String check) {
    return check(check).at("/metadata/resourceVersion").asText();
  }

  String phase(String check) {
    return check(check).at("/status/phase").asText();
  }

  String status(String check) {
    return check(check).path("status").toString();
  }

  int unhealthy(String check) {
    return check(check).at("/status/unhealthyNodes").size();
  }

  /** The lease of a node; missing if there is none. */
  JsonNode lease(String node) {
    return api.get(
        "/apis/coordination.k8s.io/v1/namespaces/%s/leases/node-%s".formatted(LEASES, node));
  }

  /** The events, as who wrote them, reason and message. */
  List<String> eventTexts() {
    return api.events().stream()
        .map(event ->
            "%s %s %s"
                .formatted(
                    event.at("/source/component").asText(),
                    event.path("reason").asText(),
                    event.path("message").asText()))
        .toList();
  }

  List<String> events() {
    return api.events().stream().map(event -> event.path("reason").asText()).toList();
  }

  boolean isTimedOut(String kind, String node) {
    return remediation(kind, node).at("/metadata/annotations").has(WireNames.TIMED_OUT);
  }

  void pass(Duration length) {
    time.advance(length);
  }

  /**
   * Waits for what comes from the API server, which is real; the controller's time goes on
   * meanwhile.
   */
  ConditionFactory await() {
    return time.await(Duration.ofMillis(100))
        .atMost(Duration.ofMinutes(1))
        .pollInSameThread()
        .pollDelay(Duration.ZERO);
  }

  private String now() {
    return WireTime.seconds(time.clock().wallTime());
  }
}
