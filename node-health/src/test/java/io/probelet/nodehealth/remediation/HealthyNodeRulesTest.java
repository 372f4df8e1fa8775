package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.remediation.HealthCheckBuilder.check;
import static io.probelet.nodehealth.remediation.HealthCheckBuilder.twoSteps;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.remediation.RemediationAction.ClearConfirmation;
import io.probelet.nodehealth.remediation.RemediationAction.DeleteRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.MarkHealthyDelay;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.Phase;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is done for nodes that are healthy again, not yet unhealthy again, or gone. */
class HealthyNodeRulesTest {
  /** When the remediation of {@link #remediated} counts as old, if nothing is to be done before. */
  private static final int OLD = 301 + 2 * 86_400 + 1;

  private static Instant second(int second) {
    return Scene.START.plusSeconds(second);
  }

  private static NodeLease ours(String node) {
    return new NodeLease(
        "node-" + node,
        "NodeHealthCheck-nhc",
        Scene.START,
        Scene.START,
        Duration.ofHours(1),
        0,
        "x");
  }

  /** n1 has a remediation since second 301; it is second 360. */
  private static Scene remediated(HealthCheckBuilder check) {
    Scene scene = Scene.of(check, 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    return scene;
  }

  @ParameterizedTest
  @CsvSource({
    // delay, begun at, now: deletes, begins the delay, still listed as delayed, wakes up at
    "0, , 360, 1, 0, false, " + OLD,
    "600, , 360, 0, 1, true, 960",
    "600, 2026-01-01T00:06:00Z, 959, 0, 0, true, 960",
    "600, 2026-01-01T00:06:00Z, 960, 1, 0, false, " + OLD,
    "600, yesterday, 961, 0, 1, true, 1561",
    "-1, , 360, 0, 0, true, " + OLD,
  })
  @DisplayName("R-7, R-8 in one plan: deleted at once, or after the delay, or never")
  void delayed(
      int delay, String begun, int now, int deletes, int begins, boolean delayed, int wakeUp) {
    Scene scene = remediated(check().healthyDelay(Duration.ofSeconds(delay)));
    scene.cluster.put(scene.cluster.nodes().get("n1").withCondition("Ready", "True", second(360)));
    if (begun != null) {
      scene.cluster.put(
          scene.remediation("RebootRemediation").withAnnotation(WireNames.HEALTHY_DELAY, begun));
    }
    scene.cluster.advanceTo(second(now));
    Plan plan = scene.plan(PendingWrites.NONE);
    assertThat(plan.actions().stream().filter(DeleteRemediation.class::isInstance))
        .hasSize(deletes);
    assertThat(plan.actions().stream().filter(MarkHealthyDelay.class::isInstance)).hasSize(begins);
    assertThat(plan.status().unhealthyNode("n1").orElseThrow().healthyDelayed()).isEqualTo(delayed);
    assertThat(plan.wakeUp()).isEqualTo(second(wakeUp));
  }

  @Test
  @DisplayName("R-8 a confirmation stays until the last remediation is gone, and then goes itself")
  void confirmedUntilGone() {
    Scene scene = remediated(check().healthyDelay(Duration.ofSeconds(-1)));
    scene.cluster.holdDeletionOf("RebootRemediation");
    scene.ready("True", "n1");
    scene.cluster.put(scene.cluster.nodes().get("n1").withConfirmedHealthy(true));
    scene.controller.settle();
    assertThat(scene.remediation("RebootRemediation").deleting()).isTrue();
    assertThat(scene.cluster.nodes().get("n1").confirmedHealthy()).isTrue();
    assertThat(scene.done(ClearConfirmation.class)).isEmpty();

    scene.cluster.remove(scene.remediation("RebootRemediation").uid());
    scene.controller.settle();
    assertThat(scene.cluster.nodes().get("n1").confirmedHealthy()).isFalse();
    assertThat(scene.done(ClearConfirmation.class)).hasSize(1);
  }

  @Test
  @DisplayName("R-9, R-14 a node that is gone has no use of its lease, whatever holds the rest")
  void orphansLease() {
    Scene scene = remediated(check().selecting("pool", "a").minHealthy(0));
    assertThat(scene.remediations()).isEmpty();
    scene.label("n1", "pool", "a");
    scene.minutes(6);
    scene.cluster.holdDeletionOf("RebootRemediation");
    assertThat(scene.cluster.lease("n1")).isPresent();

    scene.label("n1", "pool", "b");
    assertThat(scene.remediation("RebootRemediation").deleting()).isTrue();
    assertThat(scene.status().unhealthyNode("n1")).isEmpty();
    assertThat(scene.cluster.lease("n1")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"n1, True, false", "n1, False, true", "gone, True, false"})
  @DisplayName("R-14 our lease without a remediation is given back, unless the node may need it")
  void leaseAlone(String leased, String ready, boolean stays) {
    Scene scene = Scene.of(check(), 3);
    scene.ready(ready, "n1");
    scene.cluster.put(ours(leased));
    scene.controller.settle();
    assertThat(scene.cluster.lease(leased).isPresent()).isEqualTo(stays);
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  @DisplayName("R-6 a listed node without a remediation whose condition changes stays listed")
  void soonStaysListed(boolean paused) {
    HealthCheckBuilder check = check().minHealthy(3);
    Scene scene = Scene.of(paused ? check.paused("me") : check, 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.unhealthy("n1").remediations()).isEmpty();
    scene.ready("False", "n1");
    assertThat(scene.unhealthy("n1").remediations()).isEmpty();
    scene.ready("True", "n1");
    assertThat(scene.status().unhealthyNode("n1")).isEmpty();
  }

  @Test
  @DisplayName("N-2 a healthy node is left as it is too until our own write has come back")
  void unseen() {
    Scene scene = remediated(check());
    scene.cluster.put(scene.cluster.nodes().get("n1").withCondition("Ready", "True", second(360)));
    scene.cluster.put(ours("n2"));
    scene.cluster.put(scene.cluster.nodes().get("n3").withConfirmedHealthy(true));
    Plan plan = scene.plan(new PendingWrites(Set.of("n1", "n2", "n3"), Set.of(), false));
    assertThat(plan.actions()).isEmpty();
    assertThat(plan.status().unhealthyNodes()).isEqualTo(scene.status().unhealthyNodes());
    assertThat(plan.holdOf("n1")).isEmpty();
  }

  @Test
  @DisplayName("NHC-8, R-7, R-14 a healthy node: remediation, entry and lease go")
  void healthyAgain() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.cluster.lease("n1")).isPresent();
    scene.ready("True", "n1");
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.status().unhealthyNodes()).isEmpty();
    assertThat(scene.status().healthyNodes()).isEqualTo(3);
    assertThat(scene.cluster.lease("n1")).isEmpty();
    assertThat(scene.status().reason()).isEqualTo("NHC is enabled, no ongoing remediation");
    assertThat(scene.events()).endsWith("RemediationRemoved");
  }

  @Test
  @DisplayName("NHC-9, R-7 a finalizer holds the remediation: the node stays listed until it goes")
  void finalizer() {
    Scene scene = Scene.of(check(), 3);
    scene.cluster.holdDeletionOf("RebootRemediation");
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.ready("True", "n1");
    scene.minutes(3);
    assertThat(scene.unhealthy("n1").conditionsHealthyTimestamp())
        .isEqualTo(Scene.START.plus(Duration.ofMinutes(6)));
    assertThat(scene.status().healthyNodes()).isEqualTo(2);
    assertThat(scene.cluster.lease("n1")).isPresent();

    scene.cluster.remove(scene.remediation("RebootRemediation").uid());
    scene.controller.settle();
    assertThat(scene.status().unhealthyNodes()).isEmpty();
    assertThat(scene.cluster.lease("n1")).isEmpty();
    assertThat(scene.events()).containsOnlyOnce("RemediationRemoved");
  }

  @Test
  @DisplayName("NHC-10, R-6 Unknown turns False during remediation: nothing is done until it lasts")
  void soonIsLeftAlone() {
    Scene scene = Scene.of(twoSteps(4, 10), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.ready("False", "n1");
    scene.minutes(4);
    assertThat(scene.remediations()).containsExactly("FirstRemediation/n1");
    assertThat(scene.unhealthy("n1").remediations()).hasSize(1);
    assertThat(scene.status().phase()).isEqualTo(Phase.REMEDIATING);
    assertThat(scene.events()).containsOnlyOnce("DetectedUnhealthy");

    scene.ready("True", "n1");
    assertThat(scene.remediations()).isEmpty();
  }

  @Test
  @DisplayName("NHC-20, R-8 a healthy delay of 3 s: the remediation goes after 3 s")
  void healthyDelay() {
    Scene scene = Scene.of(check().healthyDelay(Duration.ofSeconds(3)), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.ready("True", "n1");
    assertThat(scene.remediation("RebootRemediation").annotations())
        .containsEntry("remediation.medik8s.io/healthy-delay", "2026-01-01T00:06:00Z");
    assertThat(scene.unhealthy("n1").healthyDelayed()).isTrue();
    scene.pass(Duration.ofMillis(2999));
    assertThat(scene.remediations()).hasSize(1);
    scene.pass(Duration.ofMillis(1));
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.status().unhealthyNodes()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"-1s", "PT10M"})
  @DisplayName("R-8 a person's confirmation ends any delay, and is removed when it has served")
  void confirmation(String delay) {
    Duration length = delay.startsWith("-") ? Duration.ofSeconds(-1) : Duration.parse(delay);
    Scene scene = Scene.of(check().healthyDelay(length), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.ready("True", "n1");
    scene.minutes(5);
    assertThat(scene.remediations()).hasSize(1);
    assertThat(scene.unhealthy("n1").healthyDelayed()).isTrue();

    scene.cluster.put(scene.cluster.nodes().get("n1").withConfirmedHealthy(true));
    scene.controller.settle();
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.done(ClearConfirmation.class)).hasSize(1);
    assertThat(scene.cluster.nodes().get("n1").confirmedHealthy()).isFalse();
  }

  @Test
  @DisplayName("R-9 the node is gone: its remediations, entry and lease go")
  void orphan() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.cluster.removeNode("n1");
    scene.controller.settle();
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.status().unhealthyNodes()).isEmpty();
    assertThat(scene.status().observedNodes()).isEqualTo(2);
  }

  @Test
  @DisplayName("R-9 a remediator that deletes nodes may finish first")
  void orphanThatWaits() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    ObservedRemediation made = scene.remediation("RebootRemediation");
    ObservedRemediation deletesNode =
        new ObservedRemediation(
            made.ref(),
            made.uid(),
            made.created(),
            false,
            made.labels(),
            made.annotations(),
            made.owners(),
            Success.UNKNOWN,
            true);
    scene.cluster.put(deletesNode);
    scene.cluster.removeNode("n1");
    scene.minutes(1);
    assertThat(scene.remediations()).containsExactly("RebootRemediation/n1");
    assertThat(scene.unhealthy("n1").remediations()).hasSize(1);

    scene.succeeded(deletesNode, Success.YES);
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.status().unhealthyNodes()).isEmpty();
  }

  @Test
  @DisplayName("R-4, R-9 made anew without conditions: the remediation stays until Ready is known")
  void madeAnew() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    ObservedRemediation made = scene.remediation("RebootRemediation");
    scene.cluster.put(
        new ObservedRemediation(
            made.ref(),
            made.uid(),
            made.created(),
            false,
            made.labels(),
            made.annotations(),
            made.owners(),
            Success.UNKNOWN,
            true));
    scene.cluster.removeNode("n1");
    scene.controller.settle();
    assertThat(scene.remediations()).hasSize(1);

    scene.cluster.put(
        new NodeFacts("n1", "n1-new-uid", scene.cluster.now(), Map.of(), List.of(), false, null));
    scene.minutes(10);
    assertThat(scene.remediations()).hasSize(1);
    assertThat(scene.unhealthy("n1").remediations()).hasSize(1);
    assertThat(scene.unhealthy("n1").conditionsHealthyTimestamp()).isNull();
    assertThat(scene.status().observedNodes()).isEqualTo(3);
    assertThat(scene.status().healthyNodes()).isEqualTo(2);

    scene.ready("True", "n1");
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.status().unhealthyNodes()).isEmpty();
  }
}
