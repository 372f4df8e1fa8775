package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.maintenance.Maintenances.maintenance;
import static io.probelet.nodehealth.remediation.HealthCheckBuilder.check;
import static io.probelet.nodehealth.remediation.HealthCheckBuilder.twoSteps;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.maintenance.NodeMaintenance.Unclear;
import io.probelet.nodehealth.maintenance.NodeMaintenance.Window;
import io.probelet.nodehealth.remediation.HoldReason.InMaintenance;
import io.probelet.nodehealth.remediation.HoldReason.MaintenanceUnknown;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Soon;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Suspended;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Undecided;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Unhealthy;
import io.probelet.nodehealth.remediation.RemediationAction.MarkTimedOut;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Nodes in maintenance are not remediated, and afterwards their conditions count anew. */
class MaintenanceRulesTest {
  private static final String REBOOT = "RebootRemediation/n1";
  private static final Map<String, String> RACK = Map.of("rack", "r7");

  private static Instant minute(double minute) {
    return Scene.START.plusSeconds((long) (minute * 60));
  }

  private static Scene scene(HealthCheckBuilder check, int nodes) {
    Scene scene = Scene.of(check, nodes);
    scene.label("n1", "rack", "r7");
    return scene;
  }

  /** Of rack r7. */
  private static void window(Scene scene, int from, int until) {
    scene.cluster.put(maintenance("rack-7", RACK, minute(from), Duration.ofMinutes(until - from)));
    scene.controller.settle();
  }

  @Test
  @DisplayName("MW-2, MW-3 nothing starts during the window; afterwards the whole duration counts")
  void holdsAndCountsAnew() {
    Scene scene = scene(check(), 3);
    window(scene, 2, 60);
    scene.minutes(1);
    scene.ready("False", "n1");
    scene.minutes(50);
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.hold("n1")).isEqualTo(new InMaintenance("rack-7", "kernel", minute(60)));
    assertThat(scene.hold("n1").message())
        .isEqualTo("in maintenance until 2026-01-01T01:00:00Z: Maintenance rack-7 (kernel)");
    assertThat(scene.events()).doesNotContain("RemediationSkipped", "DetectedUnhealthy");

    scene.pass(Duration.between(scene.cluster.now(), minute(65)));
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.hold("n1")).isNull();
    scene.pass(Duration.ofSeconds(2));
    assertThat(scene.remediations()).containsExactly(REBOOT);
    assertThat(scene.cluster.view("nhc").census().unhealthy().get("n1").since())
        .isEqualTo(minute(60));
  }

  @Test
  @DisplayName("MW-3 a node that reboots in the window and comes back is not remediated")
  void rebootInWindow() {
    Scene scene = scene(check(), 3);
    window(scene, 10, 60);
    scene.minutes(40);
    scene.ready("Unknown", "n1");
    scene.minutes(22); // the window is over, for two minutes
    scene.ready("True", "n1");
    scene.minutes(60);
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.events()).doesNotContain("DetectedUnhealthy");
  }

  @Test
  @DisplayName("MW-2 other nodes are remediated, and the node in maintenance is missing from them")
  void countsAsNotHealthy() {
    Scene scene = scene(check().minHealthy(2), 4);
    window(scene, 0, 60);
    scene.ready("False", "n1", "n2");
    scene.minutes(6);
    assertThat(scene.remediations()).containsExactly("RebootRemediation/n2");
    assertThat(scene.status().healthyNodes()).isEqualTo(2);
    scene.ready("False", "n3");
    scene.minutes(6);
    assertThat(scene.remediations())
        .as("one of four is healthy, two are required")
        .containsExactly("RebootRemediation/n2");
  }

  @Test
  @DisplayName("MW-2 a healthy node in maintenance counts as healthy")
  void healthyInMaintenance() {
    Scene scene = scene(check(), 3);
    window(scene, 0, 60);
    scene.minutes(5);
    assertThat(scene.status().healthyNodes()).isEqualTo(3);
    assertThat(scene.hold("n1")).isNull();
  }

  @Test
  @DisplayName("MW-2 a running remediation stays, its escalation waits, and a healthy node ends it")
  void runningRemediation() {
    Scene scene = scene(twoSteps(5, 5), 3);
    scene.ready("False", "n1");
    scene.minutes(6);
    assertThat(scene.remediations()).containsExactly("FirstRemediation/n1");
    window(scene, 7, 60);
    scene.minutes(40);
    assertThat(scene.remediations()).containsExactly("FirstRemediation/n1");
    assertThat(scene.done(MarkTimedOut.class)).isEmpty();
    assertThat(scene.unhealthy("n1").remediations()).hasSize(1);
    assertThat(scene.hold("n1")).isInstanceOf(InMaintenance.class);

    scene.ready("True", "n1");
    assertThat(scene.remediations()).isEmpty();
  }

  @Test
  @DisplayName("MW-2 after the window an escalation goes on once the condition lasted again")
  void escalationGoesOn() {
    Scene scene = scene(twoSteps(5, 5), 3);
    scene.ready("False", "n1");
    scene.minutes(6);
    window(scene, 7, 60);
    scene.pass(Duration.between(scene.cluster.now(), minute(64)));
    assertThat(scene.done(MarkTimedOut.class)).isEmpty();
    scene.minutes(2);
    assertThat(scene.done(MarkTimedOut.class)).hasSize(1);
    assertThat(scene.remediations()).containsExactly("FirstRemediation/n1", "SecondRemediation/n1");
  }

  @Test
  @DisplayName("MW-4 a window that is deleted ends at once, and the duration counts from then")
  void deleted() {
    Scene scene = scene(check(), 3);
    window(scene, 0, 60);
    scene.ready("False", "n1");
    scene.minutes(20);
    scene.cluster.removeMaintenance("rack-7");
    scene.controller.settle();
    scene.minutes(4);
    assertThat(scene.remediations()).isEmpty();
    scene.minutes(2);
    assertThat(scene.remediations()).containsExactly(REBOOT);
  }

  @Test
  @DisplayName("MW-4 an extended window holds for longer, a shortened one ends earlier")
  void edited() {
    Scene scene = scene(check(), 3);
    window(scene, 0, 30);
    scene.ready("False", "n1");
    scene.minutes(20);
    window(scene, 0, 60);
    scene.minutes(30);
    assertThat(scene.remediations()).isEmpty();
    window(scene, 0, 52);
    scene.minutes(6);
    assertThat(scene.remediations()).isEmpty();
    scene.minutes(2);
    assertThat(scene.remediations()).containsExactly(REBOOT);
  }

  @Test
  @DisplayName("MW-2 a node that is to be remediated at the window's first moment is not")
  void beginsInTime() {
    Scene scene = scene(check(), 3);
    scene.ready("False", "n1"); // unhealthy after five minutes and a second
    scene.cluster.put(
        maintenance("rack-7", RACK, minute(5).plusSeconds(1), Duration.ofMinutes(30)));
    scene.minutes(30);
    assertThat(scene.remediations()).isEmpty();
  }

  private static NodeHealth health(HealthCheckBuilder check, NodeFacts node, Instant now) {
    return NodeHealth.of(check.spec(), node, now);
  }

  private static NodeFacts maintained(NodeFacts node, double until) {
    return node.withMaintenance(new Window("rack-7", "", minute(until)));
  }

  @Test
  @DisplayName("MW-2 an expression without an age waits until a minute after the window")
  void expression() {
    HealthCheckBuilder check = check().unhealthyWhen("conditions.Disk.status == 'False'");
    NodeFacts node = maintained(Scene.node("n1").withCondition("Disk", "False", minute(0)), 10);
    assertThat(health(check, node, minute(5))).isInstanceOf(Suspended.class);
    assertThat(health(check, node, minute(10.98))).isInstanceOf(Suspended.class);
    assertThat(health(check, node, minute(11)))
        .isEqualTo(new Unhealthy("unhealthy-when", "True", minute(10)));
    assertThat(NodeAssessment.of(check.spec(), node, minute(5)).next()).isEqualTo(minute(11));
  }

  @Test
  @DisplayName("MW-3 ages of conditions in an expression count from the window's end")
  void expressionAge() {
    HealthCheckBuilder check = check().unhealthyWhen("conditions.Disk.age > duration('5m')");
    NodeFacts node = maintained(Scene.node("n1").withCondition("Disk", "False", minute(0)), 10);
    assertThat(health(check, node, minute(14))).isEqualTo(new Soon(minute(15).plusSeconds(1)));
    assertThat(health(check, node, minute(15).plusSeconds(1))).isInstanceOf(Unhealthy.class);
  }

  @Test
  @DisplayName("MW-3 a node that never reported gets its time anew")
  void neverReady() {
    HealthCheckBuilder check = check().neverReadyAfter(Duration.ofMinutes(15));
    NodeFacts silent = new NodeFacts("n1", "u", minute(0), Map.of(), List.of(), false, null);
    assertThat(health(check, maintained(silent, 60), minute(59))).isInstanceOf(Suspended.class);
    assertThat(health(check, maintained(silent, 60), minute(74))).isInstanceOf(Soon.class);
    assertThat(health(check, maintained(silent, 60), minute(76)))
        .isEqualTo(new Unhealthy("Ready", "", minute(60)));
  }

  @Test
  @DisplayName("MW-2 an expression without a value stays undecided in maintenance")
  void undecided() {
    HealthCheckBuilder check = check().unhealthyWhen("conditions.Missing.status == 'False'");
    assertThat(health(check, maintained(Scene.node("n1"), 10), minute(5)))
        .isInstanceOf(Undecided.class);
  }

  @Test
  @DisplayName("MW-5, MW-6 a node that may be in maintenance is not remediated; others say so once")
  void unclear() {
    NodeFacts failed = Scene.node("n1").withCondition("Ready", "False", minute(0));
    NodeFacts node = failed.withMaintenance(new Unclear("no permission"));
    assertThat(health(check(), node, minute(6)))
        .isEqualTo(new Suspended(new MaintenanceUnknown("no permission")));
    assertThat(health(check(), node, minute(4))).isInstanceOf(Soon.class);
    assertThat(new MaintenanceUnknown("no permission").message())
        .isEqualTo("cannot tell whether the node is in maintenance: no permission");
  }
}
