package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.remediation.HealthCheckBuilder.check;
import static io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition.STORM_ACTIVE;
import static io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition.STORM_COOLDOWN_ACTIVE;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
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
}
