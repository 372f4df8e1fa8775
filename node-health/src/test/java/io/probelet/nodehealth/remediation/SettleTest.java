package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.remediation.HealthCheckBuilder.check;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RB-6: a remediator acts on creation, so nothing is created while nodes still change. */
class SettleTest {
  private static final Duration SETTLE = Duration.ofSeconds(2);
  private static final Duration STEP = Duration.ofMillis(100);

  @ParameterizedTest(name = "{0} nodes, {1} fail, {2} recover within {3} ms: {4} needless")
  @CsvSource({
    "12, 8, 8, 800, 0",
    "12, 12, 12, 1200, 0",
    "50, 40, 40, 4000, 0",
    "500, 300, 300, 8000, 0",
    "5000, 3000, 3000, 9000, 0",
  })
  @DisplayName("RB-6 a mass recovery creates no remediation for a node that is about to recover")
  void massRecovery(int nodes, int failing, int recovering, int millis, int needless) {
    Scene scene = Scene.of(check().settle(SETTLE), nodes);
    scene.ready("False", names(1, failing));
    scene.minutes(6);
    assertThat(created(scene)).as("too few are healthy").isEmpty();
    int atOnce = Math.ceilDiv(recovering, 50);
    for (int i = 1; i <= recovering; i += atOnce) {
      scene.ready("True", names(i, Math.min(i + atOnce - 1, recovering)));
      scene.pass(Duration.ofMillis((long) millis * atOnce / recovering));
    }
    scene.minutes(1);
    assertThat(created(scene)).hasSize(needless);
  }

  @Test
  @DisplayName(
      "RB-6 without settling the same recovery remediates nodes that recover a moment later")
  void withoutSettling() {
    Scene scene = Scene.of(check().settle(Duration.ZERO), 12);
    scene.ready("False", names(1, 8));
    scene.minutes(6);
    for (int i = 1; i <= 8; i++) {
      scene.ready("True", "n" + i);
      scene.pass(STEP);
    }
    assertThat(created(scene)).isNotEmpty();
  }

  @Test
  @DisplayName("RB-6 who stays unhealthy is remediated once nothing has changed for the time")
  void staysUnhealthy() {
    Scene scene = Scene.of(check().settle(SETTLE), 12);
    scene.ready("False", names(1, 8));
    scene.minutes(6);
    for (int i = 1; i <= 5; i++) {
      scene.ready("True", "n" + i);
      scene.pass(STEP);
    }
    assertThat(created(scene)).isEmpty();
    assertThat(hold(scene, "n8")).isInstanceOf(HoldReason.Settling.class);
    scene.pass(SETTLE);
    assertThat(created(scene)).containsExactly("n6", "n7", "n8");
  }

  @Test
  @DisplayName("RB-6 a flapping node holds up the others for 10 s at most")
  void flapping() {
    Scene scene = Scene.of(check().settle(SETTLE), 12);
    scene.ready("False", "n1");
    scene.minutes(5);
    for (int i = 0; i < 10; i++) {
      scene.ready(i % 2 == 0 ? "False" : "True", "n12");
      scene.pass(Duration.ofMillis(1_100));
    }
    assertThat(created(scene)).containsExactly("n1");
  }

  @Test
  @DisplayName("RB-6 that a condition has lasted long enough is no change: nothing waits for it")
  void expiryIsNoNews() {
    Scene scene = Scene.of(check().settle(SETTLE), 12);
    scene.ready("False", "n1");
    scene.pass(Duration.ofSeconds(301));
    assertThat(created(scene)).containsExactly("n1");
  }

  @Test
  @DisplayName("RB-6 what ends a remediation waits for nothing")
  void endsAtOnce() {
    Scene scene = Scene.of(check().settle(SETTLE), 12);
    scene.ready("False", "n1");
    scene.minutes(6);
    assertThat(scene.remediations()).hasSize(1);
    scene.ready("True", "n1");
    assertThat(scene.remediations()).isEmpty();
  }

  @Test
  @DisplayName("R-10 a node that fails but has not expired does not count as healthy")
  void aboutToExpire() {
    Scene scene = Scene.of(check().settle(SETTLE), 12);
    scene.ready("False", "n1");
    scene.minutes(4);
    scene.ready("False", names(2, 7));
    scene.minutes(2);
    assertThat(created(scene)).as("5 of 12 are healthy, 7 have to be").isEmpty();
  }

  private static HoldReason hold(Scene scene, String node) {
    return scene.controller.lastPlan("nhc").orElseThrow().holdOf(node).orElse(null);
  }

  private static List<String> created(Scene scene) {
    return scene.done.stream()
        .filter(CreateRemediation.class::isInstance)
        .map(RemediationAction::node)
        .toList();
  }

  private static String[] names(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(i -> "n" + i).toArray(String[]::new);
  }
}
