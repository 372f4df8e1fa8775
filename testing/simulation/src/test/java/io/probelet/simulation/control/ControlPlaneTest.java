package io.probelet.simulation.control;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ControlPlaneTest {
  private static final Duration TURMOIL = Duration.ofMinutes(60);

  /** The longest escalation, the longest retry and a drain. */
  private static final Duration SETTLED = Duration.ofMinutes(30);

  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final ListAppender<ILoggingEvent> errors = new ListAppender<>();
  private Level level = Level.INFO;

  @BeforeEach
  void collectErrors() {
    level = root.getLevel();
    root.setLevel(Level.ERROR);
    errors.start();
    root.addAppender(errors);
  }

  @AfterEach
  void restoreLogging() {
    root.detachAppender(errors);
    root.setLevel(level);
  }

  @Test
  @DisplayName("a controller becomes leader, escalates, and cleans up once the node is healthy")
  void escalates() {
    ControlWorld control = new ControlWorld(1);
    control.start();
    control.world.run(Duration.ofMinutes(2));
    assertThat(status(control, "workers").path("healthyNodes").asInt()).isEqualTo(6);
    control.nodes.get(0).fail(ScriptedNode.Trouble.GONE);
    control.world.run(Duration.ofMinutes(25));
    assertThat(status(control, "workers").at("/unhealthyNodes/0/remediations")).hasSize(4);
    control.nodes.get(0).repair();
    control.world.run(Duration.ofMinutes(5));
    assertHealthy(control);
  }

  /** One seed: {@code WorldTest} has many, without the fresh start. */
  @Test
  @DisplayName("faults break no rule, and leave what a fresh start computes")
  void faults() {
    ControlWorld control = run();
    assertHealthy(control);
    Map<String, JsonNode> before = lasting(control);
    control.controllers.forEach(ControllerProcess::start);
    control.world.run(Duration.ofMinutes(6));
    assertThat(lasting(control)).as("after a fresh start").isEqualTo(before);
    assertHealthy(control);
    assertThat(control.rules.created()).isPositive();
  }

  private static ControlWorld run() {
    ControlWorld control = new ControlWorld(1);
    control.start();
    control.world.run(Duration.ofMinutes(2));
    control.turmoil();
    control.world.run(TURMOIL);
    control.calm();
    control.world.run(SETTLED);
    return control;
  }

  private void assertHealthy(ControlWorld control) {
    assertThat(control.world.failures()).isEmpty();
    assertThat(control.rules.broken()).isEmpty();
    assertThat(errors.list).isEmpty();
    for (String check : List.of("workers", "fencing")) {
      JsonNode status = status(control, check);
      assertThat(status.path("unhealthyNodes")).as("%s: %s", check, status).isEmpty();
      assertThat(status.path("phase").asText()).as("%s: %s", check, status).isEqualTo("Enabled");
      assertThat(status.path("healthyNodes")).isEqualTo(status.path("observedNodes"));
    }
    for (String left :
        List.of(
            "/apis/probelet.io/v1alpha1/servicerestartremediations",
            "/apis/probelet.io/v1alpha1/rebootremediations",
            "/apis/probelet.io/v1alpha1/hookremediations",
            "/apis/self-node-remediation.medik8s.io/v1alpha1/selfnoderemediations",
            "/apis/fence-agents-remediation.medik8s.io/v1alpha1/fenceagentsremediations",
            "/apis/probelet.io/v1alpha1/nodeorders",
            "/apis/coordination.k8s.io/v1/namespaces/medik8s-leases/leases",
            "/apis/batch/v1/jobs")) {
      assertThat(control.server.list(left)).as(left).isEmpty();
    }
    for (ScriptedNode node : control.nodes) {
      JsonNode object = control.server.get("/api/v1/nodes/" + node.name());
      assertThat(object.at("/spec/unschedulable").asBoolean()).as("%s", object).isFalse();
      assertThat(object.at("/spec/taints")).as("%s", object).isEmpty();
      assertThat(node.carriedOut()).doesNotHaveDuplicates();
    }
  }

  private static JsonNode status(ControlWorld control, String check) {
    return control.server.get(ControlWorld.CHECKS + "/" + check).path("status");
  }

  /** The objects that a fresh start must leave as they are, without times of writes. */
  private static Map<String, JsonNode> lasting(ControlWorld control) {
    Map<String, JsonNode> all = new TreeMap<>();
    for (String collection :
        List.of(
            ControlWorld.CHECKS,
            "/apis/probelet.io/v1alpha1/remediationpolicies",
            "/apis/probelet.io/v1alpha1/clusterhealths",
            "/api/v1/nodes")) {
      for (ObjectNode object : control.server.list(collection)) {
        ObjectNode kept = object.deepCopy();
        strip(kept);
        all.put(collection + "/" + Requests.name(object), kept);
      }
    }
    return all;
  }

  private static void strip(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.remove(
          List.of(
              "resourceVersion",
              "managedFields",
              "lastUpdateTime",
              "lastHeartbeatTime",
              "recent",
              "lastHour"));
    }
    node.forEach(ControlPlaneTest::strip);
  }
}
