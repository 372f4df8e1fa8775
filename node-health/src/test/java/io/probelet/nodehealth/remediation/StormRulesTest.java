package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.remediation.HealthCheckBuilder.check;
import static io.probelet.nodehealth.remediation.HealthCheckBuilder.twoSteps;
import static io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition.STORM_ACTIVE;
import static io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition.STORM_COOLDOWN_ACTIVE;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.Phase;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When so many nodes are unhealthy that none may be remediated. */
class StormRulesTest {
  @Test
  @DisplayName("R-11 without a cooldown there is no storm, and one under way ends")
  void noCooldown() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1", "n2");
    scene.minutes(6);
    assertThat(scene.status().condition(STORM_ACTIVE)).isEmpty();
    assertThat(scene.status().condition(STORM_COOLDOWN_ACTIVE)).isEmpty();

    scene.add(check().stormCooldown(Duration.ofMinutes(10)));
    scene.controller.settle();
    assertThat(scene.status().isActive(STORM_ACTIVE)).isTrue();
    scene.add(check());
    scene.controller.settle();
    NodeHealthCheckStatus calm = scene.status();
    assertThat(calm.isActive(STORM_ACTIVE)).isFalse();
    assertThat(calm.condition(STORM_ACTIVE).orElseThrow().message())
        .isEqualTo("no cooldown is configured");
    assertThat(calm.isActive(STORM_COOLDOWN_ACTIVE)).isFalse();
  }

  @Test
  @DisplayName("NHC-7, R-10 four of seven are unhealthy: no remediation, all four are listed")
  void tooManyUnhealthy() {
    Scene scene = Scene.of(check(), 7);
    scene.ready("Unknown", "n1", "n2", "n3", "n4");
    scene.minutes(10);
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.status().unhealthyNodes())
        .hasSize(4)
        .allMatch(node -> node.remediations().isEmpty());
    assertThat(scene.status().phase()).isEqualTo(Phase.ENABLED);
    assertThat(scene.hold("n1")).isEqualTo(new HoldReason.TooFewHealthy(3, 4));
    assertThat(scene.events()).containsOnlyOnce("RemediationSkipped");
  }

  @Test
  @DisplayName("R-10 too few are healthy: what exists stays, and does not escalate")
  void noEscalationWhileHeldBack() {
    Scene scene = Scene.of(twoSteps(4, 10), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.ready("Unknown", "n2");
    scene.minutes(10);
    assertThat(scene.remediations()).containsExactly("FirstRemediation/n1");
    assertThat(scene.remediation("FirstRemediation").annotations())
        .doesNotContainKey(WireNames.TIMED_OUT);
    assertThat(scene.hold("n1")).isInstanceOf(HoldReason.TooFewHealthy.class);

    scene.ready("True", "n2");
    assertThat(scene.remediations()).contains("SecondRemediation/n1");
  }

  @Test
  @DisplayName("NHC-3, R-10 maxUnhealthy beyond the number of nodes: nothing is started, and why")
  void unusableFloor() {
    Scene scene = Scene.of(check().maxUnhealthy(4), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.hold("n1").message())
        .isEqualTo("maxUnhealthy 4 is more than the 3 nodes selected");
  }

  @Test
  @DisplayName("R-11 a storm, its cooldown, and a new storm that starts over")
  void storm() {
    Scene scene = Scene.of(check().stormCooldown(Duration.ofMinutes(10)), 5);
    scene.ready("Unknown", "n1", "n2", "n3");
    scene.minutes(6);
    assertThat(scene.status().isActive(STORM_ACTIVE)).isTrue();
    assertThat(scene.remediations()).isEmpty();

    scene.ready("True", "n1");
    assertThat(scene.status().isActive(STORM_COOLDOWN_ACTIVE)).isTrue();
    assertThat(scene.hold("n2")).isInstanceOf(HoldReason.StormCooldown.class);
    scene.minutes(2);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.status().isActive(STORM_COOLDOWN_ACTIVE)).isFalse();
    assertThat(scene.status().isActive(STORM_ACTIVE)).isTrue();

    scene.ready("True", "n1");
    scene.minutes(9);
    assertThat(scene.remediations()).isEmpty();
    scene.minutes(1);
    assertThat(scene.status().isActive(STORM_COOLDOWN_ACTIVE)).isFalse();
    assertThat(scene.status().isActive(STORM_ACTIVE)).isFalse();
    assertThat(scene.remediations())
        .containsExactly("RebootRemediation/n2", "RebootRemediation/n3");
  }

  @Test
  @DisplayName("R-11 all nodes healthy again: the cooldown runs off without any unhealthy node")
  void stormEndsQuietly() {
    Scene scene = Scene.of(check().stormCooldown(Duration.ofMinutes(10)), 3);
    scene.ready("Unknown", "n1", "n2");
    scene.minutes(6);
    scene.ready("True", "n1", "n2");
    scene.minutes(10);
    assertThat(scene.status().isActive(STORM_ACTIVE)).isFalse();
    assertThat(scene.status().isActive(STORM_COOLDOWN_ACTIVE)).isFalse();
  }
}
