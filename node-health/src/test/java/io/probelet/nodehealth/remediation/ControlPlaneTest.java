package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.remediation.HealthCheckBuilder.check;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Control-plane nodes are remediated one at a time. */
class ControlPlaneTest {
  private static final String REBOOT_N1 = "RebootRemediation/n1";

  @Test
  @DisplayName(
      "NHC-18, R-13 two control-plane nodes: one remediation; the first is healthy: the other")
  void controlPlaneOneAtATime() {
    Scene scene = Scene.of(check().minHealthy(1), 3);
    scene.controlPlane("n1", "n2");
    scene.ready("Unknown", "n1", "n2");
    scene.minutes(8);
    assertThat(scene.remediations()).containsExactly(REBOOT_N1);
    assertThat(scene.remediation("RebootRemediation").labels())
        .containsEntry("remediation.medik8s.io/isControlPlaneNode", "");
    assertThat(scene.hold("n2")).isEqualTo(new HoldReason.ControlPlaneBusy("n1"));

    scene.ready("True", "n1");
    assertThat(scene.remediations()).containsExactly("RebootRemediation/n2");
  }

  @Test
  @DisplayName("R-13 a control-plane remediation of another NodeHealthCheck counts as well")
  void controlPlaneOfAnother() {
    Scene scene = Scene.of(check().minHealthy(0).selecting("pool", "a"), 3);
    scene.add(check().named("other").minHealthy(0).selecting("pool", "b"));
    scene.controlPlane("n1", "n2");
    scene.label("n1", "pool", "a");
    scene.label("n2", "pool", "b");
    scene.ready("Unknown", "n1", "n2");
    scene.minutes(8);
    assertThat(scene.remediations()).hasSize(1);
  }
}
