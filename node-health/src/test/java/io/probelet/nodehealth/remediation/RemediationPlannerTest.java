package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.remediation.HealthCheckBuilder.check;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.remediation.Plan.PlannerMemory;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.FlagOld;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.Phase;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of the questions of a plan, and what belongs to none of them alone. */
class RemediationPlannerTest {
  private static final String REBOOT_N1 = "RebootRemediation/n1";

  @Test
  @DisplayName("R-5 exactly as long as the duration is not longer than it")
  void exactlyTheDuration() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("False", "n1");
    scene.minutes(5);
    assertThat(scene.status().unhealthyNodes()).isEmpty();
    assertThat(scene.controller.nextWakeUp()).contains(Scene.START.plusSeconds(301));
    scene.pass(Duration.ofSeconds(1));
    assertThat(scene.remediations()).containsExactly(REBOOT_N1);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = "DiskPressure")
  @DisplayName("R-5, RB-4 a node without a Ready condition is unhealthy only if asked for")
  void neverReady(String condition) {
    NodeFacts silent =
        new NodeFacts(
            "s",
            "s-uid",
            Scene.START,
            Map.of(),
            condition == null
                ? List.of()
                : List.of(new NodeCondition(condition, "False", Scene.START)),
            false,
            null);
    assertThat(silent.hasReadyCondition()).isFalse();
    Scene plain = Scene.of(check(), 3);
    plain.cluster.put(silent);
    plain.minutes(60);
    assertThat(plain.remediations()).isEmpty();

    Scene asked = Scene.of(check().neverReadyAfter(Duration.ofMinutes(20)), 3);
    asked.cluster.put(silent);
    asked.minutes(20);
    assertThat(asked.remediations()).isEmpty();
    asked.minutes(1);
    assertThat(asked.remediations()).containsExactly("RebootRemediation/s");
  }

  @Test
  @DisplayName("NHC-22 a label that a selector uses changes: the node count follows")
  void selectorLabel() {
    Scene scene = Scene.of(check().selecting("pool", "a").minHealthy(0), 3);
    assertThat(scene.status().observedNodes()).isZero();
    scene.label("n1", "pool", "a");
    scene.label("n2", "pool", "a");
    assertThat(scene.status().observedNodes()).isEqualTo(2);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.remediations()).hasSize(1);
    scene.label("n1", "pool", "b");
    assertThat(scene.status().observedNodes()).isEqualTo(1);
    assertThat(scene.remediations()).as("nobody else would end it").isEmpty();
    assertThat(scene.cluster.lease("n1")).isEmpty();
  }

  @Test
  @DisplayName("NHC-14, R-12 paused: nothing starts; resumed: it does")
  void paused() {
    Scene scene = Scene.of(check().paused("upgrade", "me"), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.status().phase()).isEqualTo(Phase.PAUSED);
    assertThat(scene.status().reason()).isEqualTo("NHC is paused: upgrade,me");
    assertThat(scene.status().unhealthyNode("n1")).isPresent();
    assertThat(scene.hold("n1")).isInstanceOf(HoldReason.Paused.class);

    scene.add(check());
    scene.controller.settle();
    assertThat(scene.remediations()).containsExactly(REBOOT_N1);
    assertThat(scene.events()).containsOnlyOnce("DetectedUnhealthy");
  }

  @Test
  @DisplayName("R-1 paused comes before the end of remediations: what runs is left as it is")
  void pausedLeavesAll() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.add(check().paused("me"));
    scene.ready("True", "n1");
    assertThat(scene.remediations()).hasSize(1);
    assertThat(scene.unhealthy("n1").remediations()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"true, 0, 0", "false, 1, 0", "'', 1, 1"})
  @DisplayName("NHC-19, R-12 the exclude label counts only if it is \"true\"")
  void excluded(String value, int remediations, int complaints) {
    Scene scene = Scene.of(check(), 3);
    scene.label("n1", WireNames.EXCLUDE, value);
    scene.ready("Unknown", "n1");
    scene.minutes(16);
    assertThat(scene.remediations()).hasSize(remediations);
    assertThat(scene.status().unhealthyNode("n1")).isPresent();
    assertThat(scene.events().stream().filter("InvalidNodeLabel"::equals)).hasSize(complaints);
  }

  @Test
  @DisplayName("R-19 a remediation older than two days is flagged once")
  void oldRemediation() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.pass(Duration.ofDays(2).plusSeconds(301));
    assertThat(scene.done(FlagOld.class)).isEmpty();
    assertThat(scene.controller.nextWakeUp())
        .contains(Scene.START.plus(Duration.ofDays(2)).plusSeconds(302));
    scene.pass(Duration.ofDays(2));
    assertThat(scene.done(FlagOld.class)).hasSize(1);
    assertThat(scene.remediation("RebootRemediation").annotations())
        .containsEntry("nodehealthcheck.medik8s.io/old-remediation-cr-flag", "flagon");
  }

  @Test
  @DisplayName(
      "R-2, RB-2 nothing changed: the status is the same, its time too, and nothing is done")
  void nothingToDo() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    Plan again =
        RemediationPlanner.plan(
            scene.cluster.view("nhc"), scene.controller.lastPlan("nhc").orElseThrow().memory());
    assertThat(again.actions()).isEmpty();
    assertThat(again.status()).isSameAs(scene.status());
  }

  @Test
  @DisplayName("N-2 nothing is decided about a node until our own write has come back")
  void unseenWrite() {
    Scene scene = Scene.of(check().minHealthy(0), 3);
    scene.controlPlane("n2", "n3");
    scene.ready("Unknown", "n1", "n2");
    scene.cluster.advanceTo(Scene.START.plusSeconds(400));
    Plan plan = scene.plan(new PendingWrites(Set.of("n1", "n3"), Set.of("n3"), false));
    assertThat(plan.actions()).noneMatch(CreateRemediation.class::isInstance);
    assertThat(plan.holdOf("n1")).contains(new HoldReason.AwaitingOwnWrite());
    assertThat(plan.holdOf("n2"))
        .as("R-13 a control-plane remediation not seen yet counts")
        .contains(new HoldReason.ControlPlaneBusy("n3"));
    assertThat(plan.status().unhealthyNode("n1")).isPresent();
  }

  @Test
  @DisplayName("a resource that is not valid is disabled, and nothing is touched")
  void refused() {
    Scene scene = Scene.of(check(), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    Plan plan =
        RemediationPlanner.refuse(
            "nhc",
            scene.status(),
            "spec.selector: missing",
            PlannerMemory.restoredFrom(scene.status()),
            scene.cluster.now());
    assertThat(plan.status().phase()).isEqualTo(Phase.DISABLED);
    assertThat(plan.status().reason())
        .isEqualTo("NHC is disabled: InvalidSpec: spec.selector: missing");
    assertThat(plan.status().unhealthyNodes()).isEqualTo(scene.status().unhealthyNodes());
    assertThat(plan.actions()).allMatch(RemediationAction.EmitEvent.class::isInstance);
  }
}
