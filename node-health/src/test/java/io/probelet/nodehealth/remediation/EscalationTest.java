package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.remediation.HealthCheckBuilder.check;
import static io.probelet.nodehealth.remediation.HealthCheckBuilder.template;
import static io.probelet.nodehealth.remediation.HealthCheckBuilder.twoOfOneKind;
import static io.probelet.nodehealth.remediation.HealthCheckBuilder.twoSteps;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One remediation after another until none is left. */
class EscalationTest {
  @Test
  @DisplayName("NHC-11, R-18 three steps, one after another; then no template is left")
  void escalation() {
    Scene scene =
        Scene.of(twoSteps(2, 3).then("ThirdRemediation", "third", Duration.ofMinutes(4)), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    assertThat(scene.remediations()).containsExactly("FirstRemediation/n1");
    scene.minutes(2);
    assertThat(scene.remediations()).containsExactly("FirstRemediation/n1", "SecondRemediation/n1");
    assertThat(scene.remediation("FirstRemediation").annotations())
        .containsEntry("remediation.medik8s.io/nhc-timed-out", "2026-01-01T00:07:01Z");
    scene.minutes(3);
    assertThat(scene.remediations()).hasSize(3);
    scene.minutes(10);
    assertThat(scene.unhealthy("n1").remediations())
        .extracting(entry -> entry.resource().kind())
        .containsExactly("FirstRemediation", "SecondRemediation", "ThirdRemediation");
    assertThat(scene.unhealthy("n1").remediations()).allMatch(entry -> entry.timedOut() != null);
    assertThat(scene.events()).containsOnlyOnce("NoTemplateLeft");
    assertThat(scene.hold("n1")).isEqualTo(new HoldReason.NoTemplateLeft(3));
    assertThat(scene.remediations()).as("all stay until the node is healthy").hasSize(3);

    scene.ready("True", "n1");
    assertThat(scene.remediations()).isEmpty();
    assertThat(scene.cluster.lease("n1")).isEmpty();
  }

  @Test
  @DisplayName("NHC-12, R-18 the remediator says it failed: the next step at once")
  void failedStep() {
    Scene scene =
        Scene.of(twoSteps(2, 3).then("ThirdRemediation", "third", Duration.ofMinutes(4)), 3);
    scene.ready("Unknown", "n1");
    scene.pass(Duration.ofSeconds(310));
    scene.succeeded(scene.remediation("FirstRemediation"), Success.NO);
    assertThat(scene.remediations()).contains("SecondRemediation/n1");
    assertThat(scene.remediation("FirstRemediation").annotations())
        .containsKey(WireNames.TIMED_OUT);
  }

  @Test
  @DisplayName("NHC-13, R-18 one that succeeded is not annotated, but the next step follows")
  void succeededStepTimesOut() {
    Scene scene =
        Scene.of(twoSteps(2, 3).then("ThirdRemediation", "third", Duration.ofMinutes(4)), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(6);
    scene.succeeded(scene.remediation("FirstRemediation"), Success.YES);
    scene.minutes(2);
    assertThat(scene.remediation("FirstRemediation").annotations())
        .doesNotContainKey(WireNames.TIMED_OUT);
    assertThat(scene.unhealthy("n1").remediations().getFirst().timedOut()).isNotNull();
    assertThat(scene.remediations()).contains("SecondRemediation/n1");
  }

  @Test
  @DisplayName("R-18 a step that was given up and then deleted by someone does not come back")
  void givenUpStaysGivenUp() {
    Scene scene =
        Scene.of(twoSteps(2, 3).then("ThirdRemediation", "third", Duration.ofMinutes(4)), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(8);
    scene.cluster.remove(scene.remediation("FirstRemediation").uid());
    scene.minutes(1);
    assertThat(scene.remediations()).containsExactly("SecondRemediation/n1");
  }

  @ParameterizedTest
  @CsvSource({"UNKNOWN", "NO", "YES"})
  @DisplayName("R-18 one held by a finalizer times out or fails as any other, and the next follows")
  void endingRemediationIsGivenUp(Success success) {
    Scene scene = Scene.of(twoSteps(2, 3), 3);
    scene.cluster.holdDeletionOf("FirstRemediation");
    scene.ready("Unknown", "n1");
    scene.pass(Duration.ofSeconds(301));
    scene.ready("True", "n1");
    assertThat(scene.remediation("FirstRemediation").deleting()).isTrue();
    scene.succeeded(scene.remediation("FirstRemediation"), success);
    scene.ready("Unknown", "n1");
    scene.pass(Duration.ofSeconds(301));

    scene.pass(Duration.ofSeconds(1));
    assertThat(scene.remediations()).containsExactly("FirstRemediation/n1", "SecondRemediation/n1");
    assertThat(scene.remediation("FirstRemediation").annotations().containsKey(WireNames.TIMED_OUT))
        .isEqualTo(success != Success.YES);
  }

  @Test
  @DisplayName("R-18 a step of 60 s times out 60 s after its remediation was created")
  void timesOutOnTime() {
    HealthCheckBuilder check =
        check()
            .then("FirstRemediation", "first", Duration.ofSeconds(60))
            .then("SecondRemediation", "second", Duration.ofSeconds(60));
    Scene scene = Scene.of(check, 3);
    scene.ready("Unknown", "n1");
    scene.pass(Duration.ofSeconds(301));
    assertThat(scene.remediations()).hasSize(1);
    scene.pass(Duration.ofMillis(59_999));
    assertThat(scene.remediations()).hasSize(1);
    scene.pass(Duration.ofMillis(1));
    assertThat(scene.remediation("FirstRemediation").annotations())
        .containsEntry(WireNames.TIMED_OUT, "2026-01-01T00:06:01Z");
    assertThat(scene.remediations()).hasSize(2);
  }

  @Test
  @DisplayName("R-16, R-17 two templates of one kind: one entry each, started one after another")
  void twoTemplatesOfOneKind() {
    Scene scene = Scene.of(twoOfOneKind(), 3);
    scene.severalOfAKind(template("SameRemediationTemplate", "soft"));
    scene.severalOfAKind(template("SameRemediationTemplate", "hard"));
    scene.ready("Unknown", "n1");
    scene.minutes(8);
    assertThat(scene.unhealthy("n1").remediations())
        .extracting(TrackedRemediation::templateName)
        .containsExactly("soft", "hard");
  }

  @Test
  @DisplayName("R-18 that no template is left is told once, whatever else is written meanwhile")
  void noTemplateLeftOnce() {
    Scene scene = Scene.of(twoSteps(2, 3), 3);
    scene.ready("Unknown", "n1");
    scene.minutes(12);
    assertThat(scene.events()).containsOnlyOnce("NoTemplateLeft");

    Plan busy = scene.plan(new PendingWrites(Set.of("n1"), Set.of(), false));
    Plan free = RemediationPlanner.plan(scene.cluster.view("nhc"), busy.memory());
    assertThat(free.holdOf("n1")).contains(new HoldReason.NoTemplateLeft(2));
    assertThat(free.actions()).noneMatch(EmitEvent.class::isInstance);

    scene.restartController();
    scene.minutes(90);
    assertThat(scene.events()).containsOnlyOnce("NoTemplateLeft");
  }
}
