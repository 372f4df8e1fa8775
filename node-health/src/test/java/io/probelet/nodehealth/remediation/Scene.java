package io.probelet.nodehealth.remediation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.remediation.TemplateLookup.Template;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import io.probelet.nodehealth.simulation.VirtualCluster;
import io.probelet.nodehealth.simulation.VirtualController;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A virtual cluster with a controller at work, and what happened in it. */
final class Scene {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final JsonNode TEMPLATE_SPEC =
      JsonNodeFactory.instance.objectNode().put("strategy", "Automatic");

  final VirtualCluster cluster = new VirtualCluster(START);
  final List<RemediationAction> done = new ArrayList<>();
  VirtualController controller = new VirtualController(cluster, done::add);

  /** Nodes n1 to n{@code count}, all Ready, and the NodeHealthCheck with its templates. */
  static Scene of(HealthCheckBuilder check, int count) {
    Scene scene = new Scene();
    for (int i = 1; i <= count; i++) {
      scene.cluster.put(node("n" + i));
    }
    scene.add(check);
    scene.controller.settle();
    return scene;
  }

  static NodeFacts node(String name) {
    return new NodeFacts(
        name,
        name + "-uid",
        START,
        Map.of(),
        List.of(new NodeCondition("Ready", "True", START)),
        false,
        null);
  }

  void add(HealthCheckBuilder check) {
    NodeHealthCheck built = check.build();
    NodeHealthCheck old = cluster.checks().get(built.name());
    cluster.put(old == null ? built : built.withStatus(old.status()));
    for (RemediationStep step : built.spec().steps()) {
      cluster.put(step.template(), new Template(true, TEMPLATE_SPEC, false));
    }
  }

  void severalOfAKind(ObjectRef template) {
    cluster.put(template, new Template(true, TEMPLATE_SPEC, true));
  }

  void ready(String status, String... names) {
    for (String name : names) {
      NodeFacts node = cluster.nodes().get(name);
      cluster.put(node.withCondition("Ready", status, cluster.now()));
    }
    controller.settle();
  }

  void label(String node, String label, String value) {
    cluster.put(cluster.nodes().get(node).withLabel(label, value));
    controller.settle();
  }

  void controlPlane(String... names) {
    for (String name : names) {
      label(name, WireNames.CONTROL_PLANE, "");
    }
  }

  void succeeded(ObservedRemediation remediation, Success success) {
    cluster.put(remediation.withSucceeded(success));
    controller.settle();
  }

  void pass(Duration time) {
    controller.runUntil(cluster.now().plus(time));
  }

  void minutes(int minutes) {
    pass(Duration.ofMinutes(minutes));
  }

  /** What would be done now if these were known, and nothing is done. */
  Plan plan(PendingWrites unseen) {
    ClusterView view = cluster.view("nhc");
    return RemediationPlanner.plan(
        new ClusterView(
            view.nhc(),
            view.census(),
            view.remediations(),
            view.templates(),
            view.leases(),
            unseen,
            view.policies()),
        controller.lastPlan("nhc").orElseThrow().memory());
  }

  /** A new leader starts with what the API server has and nothing else. */
  void restartController() {
    controller = new VirtualController(cluster, done::add);
  }

  List<String> remediations() {
    return cluster.remediations().stream()
        .map(remediation -> remediation.ref().kind() + "/" + remediation.ref().name())
        .sorted()
        .toList();
  }

  ObservedRemediation remediation(String kind) {
    return cluster.remediations().stream()
        .filter(remediation -> remediation.ref().kind().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  NodeHealthCheckStatus status() {
    return cluster.checks().get("nhc").status();
  }

  UnhealthyNode unhealthy(String node) {
    return status().unhealthyNode(node).orElseThrow();
  }

  HoldReason hold(String node) {
    return controller.lastPlan("nhc").orElseThrow().holdOf(node).orElse(null);
  }

  /** Reasons of the events so far. */
  List<String> events() {
    return done.stream()
        .filter(EmitEvent.class::isInstance)
        .map(action -> ((EmitEvent) action).reason())
        .toList();
  }

  <T extends RemediationAction> List<T> done(Class<T> type) {
    return done.stream().filter(type::isInstance).map(type::cast).toList();
  }
}
