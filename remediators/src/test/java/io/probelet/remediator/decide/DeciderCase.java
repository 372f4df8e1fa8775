package io.probelet.remediator.decide;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.MissingNode;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.remediator.resource.RemediationCondition;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.remediator.resource.RemediationProgress;
import io.probelet.remediator.resource.RemediationRequest;
import io.probelet.remediator.resource.RemediationSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A remediation of the node worker-1 that goes on step by step, in virtual time. */
final class DeciderCase<S extends RemediationSpec, O> {
  static final String UID = "uid-r";
  static final String NODE = "worker-1";
  static final String BOOT = "b00t-1";
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final Decider<S, O> decider;
  private final S spec;
  private RemediationProgress status =
      RemediationProgress.NONE.begun(RemediationPhase.EVIDENCE, NODE, BOOT, "begun", START);
  private Instant now = START;
  ObservedNode node = node("False", BOOT);
  List<Outcome> outcomes = new ArrayList<>();

  DeciderCase(Decider<S, O> decider, S spec) {
    this.decider = decider;
    this.spec = spec;
  }

  static ObservedNode node(String ready, String bootId) {
    return new ObservedNode(
        NODE, "uid-n", "5", bootId, false, Map.of("Ready", ready), List.of(), Map.of(), Map.of());
  }

  /** As if the kubelet had not said at the begin which boot the node is in. */
  void unknownBoot() {
    status = RemediationProgress.NONE.begun(RemediationPhase.EVIDENCE, NODE, "", "begun", START);
  }

  DeciderCase<S, O> later(Duration time) {
    now = now.plus(time);
    return this;
  }

  /**
   * Takes the next step, whose actions are as if they were carried out. ACT-45, no text is state:
   * with every message reworded the step is the same but for its messages.
   */
  Step next(O observed) {
    Step step = decider.next(situation(observed, status));
    assertSame(decider.next(situation(observed, reworded(status))), step);
    status = step.status();
    return step;
  }

  Optional<Step> undo(O observed) {
    Optional<Step> step = decider.undo(situation(observed, status));
    Optional<Step> other = decider.undo(situation(observed, reworded(status)));
    assertThat(other.isPresent()).isEqualTo(step.isPresent());
    step.ifPresent(expected -> assertSame(other.orElseThrow(), expected));
    return step;
  }

  private static void assertSame(Step other, Step step) {
    assertThat(reworded(other.status())).isEqualTo(reworded(step.status()));
    assertThat(other.actions()).isEqualTo(step.actions());
    assertThat(other.again()).isEqualTo(step.again());
    assertThat(other.notices()).hasSameSizeAs(step.notices());
  }

  static RemediationProgress reworded(RemediationProgress status) {
    String text = "in other words";
    return new RemediationProgress(
        status.phase(),
        text,
        status.milestone(),
        status.node(),
        status.bootId(),
        status.startTime(),
        status.phaseTime(),
        status.evidence(),
        status.conditions().stream()
            .map(each ->
                new RemediationCondition(
                    each.type(), each.status(), each.reason(), text, each.lastTransitionTime()))
            .toList());
  }

  RemediationProgress status() {
    return status;
  }

  Situation<S, O> situation(O observed) {
    return situation(observed, status);
  }

  private Situation<S, O> situation(O observed, RemediationProgress progress) {
    RemediationKind kind = spec.kind();
    return new Situation<>(
        new RemediationRequest<>(
            kind,
            new ObjectRef(RemediationKind.API_VERSION, kind.kind(), "fencing", NODE),
            UID,
            "1",
            START,
            NODE,
            spec,
            progress,
            false,
            List.of(),
            Map.of()),
        node,
        MissingNode.getInstance(),
        observed,
        outcomes,
        now);
  }
}
