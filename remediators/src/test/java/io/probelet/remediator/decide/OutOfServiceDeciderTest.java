package io.probelet.remediator.decide;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import io.probelet.remediator.decide.HookAnswer.Answered;
import io.probelet.remediator.decide.HookAnswer.NotAsked;
import io.probelet.remediator.resource.HttpsHook;
import io.probelet.remediator.resource.OutOfServiceSpec;
import io.probelet.remediator.resource.OutOfServiceSpec.Confirmation;
import io.probelet.remediator.resource.RemediationPhase;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OutOfServiceDeciderTest {
  private static final NodeTaint TAINT =
      new NodeTaint("node.kubernetes.io/out-of-service", "nodeshutdown", "NoExecute");
  private static final HookAnswer NOT_ASKED = new NotAsked();

  private DeciderCase<OutOfServiceSpec, HookAnswer> remediation =
      of(new Confirmation.ByAnnotation());

  private static DeciderCase<OutOfServiceSpec, HookAnswer> of(Confirmation confirmation) {
    return new DeciderCase<>(
        new OutOfServiceDecider(), new OutOfServiceSpec(confirmation, Duration.ofMinutes(15)));
  }

  private static Confirmation hook() {
    return new Confirmation.ByHook(
        new HttpsHook(
            URI.create("https://bmc.example/"),
            List.of(),
            null,
            Duration.ofSeconds(10),
            Duration.ofMinutes(5)));
  }

  private void node(String ready, String bootId, String powerOff, NodeTaint... taints) {
    remediation.node =
        new ObservedNode(
            "worker-1",
            "u",
            "7",
            bootId,
            false,
            Map.of("Ready", ready),
            List.of(taints),
            Map.of(),
            powerOff.isEmpty() ? Map.of() : Map.of("probelet.io/power-off", powerOff));
  }

  @Test
  @DisplayName(
      "ACT-58 a human names the boot that has ended; then the taint is set, and it is done")
  void annotated() {
    node("Unknown", "b00t-1", "");
    assertThat(remediation.next(NOT_ASKED).status().message())
        .isEqualTo("if the node is off, annotate it: probelet.io/power-off=b00t-1");
    node("Unknown", "b00t-1", "b00t-0");
    Step old = remediation.next(NOT_ASKED);
    assertThat(old.actions()).isEmpty();
    assertThat(old.status().message()).endsWith("the current value belongs to another boot");
    node("Unknown", "b00t-1", "b00t-1");
    Step off = remediation.next(NOT_ASKED);
    assertThat(off.actions()).containsExactly(new Action.SetTaint(remediation.node, TAINT));
    assertThat(off.status().phase()).isEqualTo(RemediationPhase.WAITING);
    assertThat(remediation.next(NOT_ASKED).actions()).as("it was not set").hasSize(1);
    node("Unknown", "b00t-1", "b00t-1", TAINT);
    assertThat(remediation.next(NOT_ASKED).status().phase()).isEqualTo(RemediationPhase.DONE);
  }

  @Test
  @DisplayName("ACT-59 never taints a ready node")
  void ready() {
    node("True", "b00t-1", "b00t-1");
    Step step = remediation.next(NOT_ASKED);
    assertThat(step.actions()).isEmpty();
    assertThat(step.status().message()).contains("is Ready; waiting");
    node("False", "b00t-2", "b00t-1");
    assertThat(remediation.next(NOT_ASKED).status().message())
        .isEqualTo("the node has rebooted, so it is not off");
    assertThat(remediation.status().phase()).isEqualTo(RemediationPhase.FAILED);
  }

  @Test
  @DisplayName("ACT-58 fails without confirmation in time")
  void late() {
    node("Unknown", "b00t-1", "");
    remediation.next(NOT_ASKED);
    remediation.later(Duration.ofMinutes(15));
    node("Unknown", "b00t-1", "b00t-1");
    Step step = remediation.next(NOT_ASKED);
    assertThat(step.actions()).isEmpty();
    assertThat(step.status().message())
        .startsWith("no confirmation within 15m0s that the node is off");
  }

  @ParameterizedTest
  @ValueSource(strings = {"on", "unknown", ""})
  @DisplayName("ACT-58 an endpoint confirms by one word; by others it is called again")
  void byHook(String other) {
    remediation = of(hook());
    node("Unknown", "b00t-1", "b00t-1");
    assertThat(remediation.next(NOT_ASKED).actions()).as("the annotation is not asked").isEmpty();
    Step on = remediation.next(power(other));
    assertThat(on.status().phase()).isEqualTo(RemediationPhase.WAITING);
    assertThat(on.actions()).isEmpty();
    remediation.later(Duration.ofSeconds(5)).next(NOT_ASKED);
    assertThat(remediation.next(power("off")).actions())
        .containsExactly(new Action.SetTaint(remediation.node, TAINT));
  }

  private static HookAnswer power(String state) {
    return new Answered(200, JsonNodeFactory.instance.objectNode().put("power", state));
  }

  @Test
  @DisplayName("ACT-58 an endpoint that refuses has failed the remediation")
  void refused() {
    remediation = of(hook());
    node("Unknown", "b00t-1", "");
    remediation.next(NOT_ASKED);
    Step step =
        remediation.next(
            new Answered(403, JsonNodeFactory.instance.objectNode().put("power", "off")));
    assertThat(step.status().phase()).isEqualTo(RemediationPhase.FAILED);
    assertThat(step.actions()).isEmpty();
  }

  @Test
  @DisplayName("ACT-60 the taint is removed if it is ours, from before it is set until the end")
  void undone() {
    node("Unknown", "b00t-1", "b00t-1");
    remediation.next(NOT_ASKED);
    assertThat(remediation.undo(NOT_ASKED)).as("not set yet").isEmpty();
    node("Unknown", "b00t-1", "b00t-1", TAINT);
    assertThat(remediation.undo(NOT_ASKED).orElseThrow().actions())
        .containsExactly(new Action.RemoveTaint(remediation.node, TAINT));
    remediation.next(NOT_ASKED);
    node("True", "b00t-2", "b00t-1", TAINT);
    assertThat(remediation.undo(NOT_ASKED).orElseThrow().actions())
        .containsExactly(new Action.RemoveTaint(remediation.node, TAINT));
  }

  @Test
  @DisplayName("ACT-60 a taint that the node had before stays")
  void theirs() {
    node("Unknown", "b00t-1", "", TAINT);
    Step step = remediation.next(NOT_ASKED);
    assertThat(step.status().message()).isEqualTo("the node already had the taint");
    assertThat(step.status().phase()).isEqualTo(RemediationPhase.DONE);
    assertThat(remediation.undo(NOT_ASKED)).isEmpty();
  }

  @Test
  @DisplayName("ACT-58 other taints say nothing of whether the node is off")
  void otherTaint() {
    node("Unknown", "b00t-1", "", new NodeTaint("node.kubernetes.io/unreachable", "", "NoExecute"));
    assertThat(remediation.next(NOT_ASKED).status().phase()).isEqualTo(RemediationPhase.WAITING);
  }

  @Test
  @DisplayName("ACT-58 where the boot was not known at the begin no annotation can confirm")
  void noBootId() {
    remediation.unknownBoot();
    node("Unknown", "", "");
    Step step = remediation.next(NOT_ASKED);
    assertThat(step.status().phase()).isEqualTo(RemediationPhase.FAILED);
    assertThat(step.status().message()).contains("no status.nodeInfo.bootID");
    assertThat(step.actions()).isEmpty();
  }
}
