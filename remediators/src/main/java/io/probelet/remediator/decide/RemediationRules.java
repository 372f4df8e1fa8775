package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.Metadata;
import io.probelet.nodehealth.resource.WireNames;
import io.probelet.remediator.decide.Action.AddFinalizer;
import io.probelet.remediator.decide.Action.Cordon;
import io.probelet.remediator.decide.Action.RemoveFinalizer;
import io.probelet.remediator.decide.Action.WithdrawOrder;
import io.probelet.remediator.resource.Milestone;
import io.probelet.remediator.resource.RemediationCondition;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.remediator.resource.RemediationProgress;
import io.probelet.remediator.resource.RemediationRequest;
import io.probelet.remediator.resource.RemediationSpec;
import io.probelet.remediator.resource.UncordonSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Rules for all kinds: when a remediation may start, what precedes its first action, when it has
 * ended, and what is undone when its resource is deleted.
 *
 * <pre>
 *  Pending ── Held ── Evidence ── (the kind's own: Draining, Ordered, Waiting) ── Done | Failed
 *                 finalizer                                                    resource deleted:
 *                                                       order withdrawn, uncordoned after checks
 * </pre>
 */
public final class RemediationRules {
  private static final Duration HELD = Duration.ofSeconds(30);
  private static final Duration SOON = Duration.ofMillis(200);
  private static final Duration UNDONE = Duration.ofSeconds(1);

  private RemediationRules() {}

  /**
   * Decides what does not depend on the kind.
   *
   * @param situation all that is known; what the kind observes is not read
   * @param hold why it may not begin now; empty if it may
   * @return the step; empty if the kind's own rules decide
   */
  public static Optional<Step> common(Situation<?, ?> situation, Optional<ActionHold> hold) {
    RemediationRequest<?> request = situation.remediation();
    RemediationProgress status = request.status();
    if (request.deleting()) {
      return undo(situation);
    }
    if (status.phase().isTerminal()) { // ACT-2: it is over, whatever happens now
      return Optional.of(withdrawn(situation, Step.of(status)));
    }
    Optional<Step> given = givenUp(request, situation.now());
    if (given.isPresent()) {
      return given.map(step -> withdrawn(situation, step));
    }
    return switch (status.phase()) {
      case PENDING, HELD -> Optional.of(begin(situation, hold));
      case EVIDENCE -> EvidenceRules.next(situation);
      default -> Optional.empty();
    };
  }

  /** ACT-5: the NodeHealthCheck controller has already moved on. */
  private static Optional<Step> givenUp(RemediationRequest<?> request, Instant now) {
    if (!request.annotations().containsKey(WireNames.TIMED_OUT)) {
      return Optional.empty();
    }
    String text =
        request.status().phase().isInForce()
            ? "stopped: the NodeHealthCheck controller reported a timeout"
            : "not started: the NodeHealthCheck controller reported a timeout";
    return Optional.of(
        Step.of(request.status().failed("RemediationStoppedByNHC", text, now))
            .say(Notice.warning("RemediationStopped", text)));
  }

  private static Step begin(Situation<?, ?> situation, Optional<ActionHold> hold) {
    RemediationProgress status = situation.status();
    if (hold.isPresent()) { // ACT-3, ACT-4: it waits, and says for what
      String why = hold.get().reason() + ": " + hold.get().message();
      Milestone milestone = Milestone.held(hold.get().reason());
      Step held =
          Step.of(status.in(RemediationPhase.HELD, why, situation.now()).with(milestone))
              .again(HELD);
      return status.phase() == RemediationPhase.HELD && status.milestone().equals(milestone)
          ? held
          : held.say(Notice.normal("RemediationHeld", why));
    }
    if (!situation.remediation().hasFinalizer()) {
      return Step.of(status).then(new AddFinalizer()).again(SOON);
    }
    String text = "started; asking the node's agent for evidence";
    return Step.of(
            status.begun(
                RemediationPhase.EVIDENCE,
                situation.node().name(),
                situation.node().bootId(),
                text,
                situation.now()))
        .again(SOON)
        .say(
            Notice.normal(
                "RemediationStarted",
                "%s of node %s started"
                    .formatted(situation.remediation().kind().kind(), situation.node().name())));
  }

  /**
   * Decides about a remediation whose spec cannot be carried out.
   *
   * @param situation all that is known
   * @param problems what is wrong with the spec
   */
  public static Step refused(Situation<?, ?> situation, String problems) {
    RemediationProgress status = situation.status();
    if (situation.remediation().deleting()) {
      return undo(situation).orElse(Step.of(status).then(new RemoveFinalizer()));
    }
    return status.phase().isTerminal()
        ? withdrawn(situation, Step.of(status))
        : Step.of(status.failed("InvalidSpec", problems, situation.now()))
            .say(Notice.warning("InvalidSpec", problems));
  }

  /**
   * Decides about a remediation whose node does not exist.
   *
   * @param order the order with the node's name; a missing node if there is none
   */
  public static Step withoutNode(RemediationRequest<?> request, JsonNode order, Instant now) {
    RemediationProgress status = request.status();
    Step step;
    if (request.deleting() || status.phase().isTerminal()) {
      step = Step.of(status);
    } else if (status
        .status(RemediationCondition.PERMANENT_NODE_DELETION_EXPECTED)
        .equals(Optional.of("True"))) {
      step = Step.of(status.succeeded("the node was deleted, as expected", now));
    } else {
      String text = "node " + request.node() + " does not exist";
      step = Step.of(status.failed("RemediationFinishedNodeNotFound", text, now));
    }
    if (order.at("/spec/remediation/uid").asText().equals(request.uid())) {
      return step.then(new WithdrawOrder(request.node(), Metadata.uid(order))).again(UNDONE);
    }
    return request.deleting() && request.hasFinalizer() ? step.then(new RemoveFinalizer()) : step;
  }

  /**
   * Decides about a remediation that is being deleted and of whose kind nothing is left to be
   * undone.
   *
   * @param situation all that is known
   * @return the step, its last
   */
  public static Step release(Situation<?, ?> situation) {
    return Step.of(situation.status()).then(new RemoveFinalizer());
  }

  /** ACT-6: what was done to the node is undone before the resource goes. */
  private static Optional<Step> undo(Situation<?, ?> situation) {
    RemediationRequest<?> request = situation.remediation();
    Step nothing = Step.of(situation.status());
    if (!request.hasFinalizer()) {
      return Optional.of(nothing);
    }
    if (situation.ownOrder().isPresent()) {
      return Optional.of(withdrawn(situation, nothing));
    }
    if (request.uid().equals(situation.node().annotations().get(Cordon.MARK))) {
      Optional<UncordonSpec> checks =
          situation.spec() instanceof RemediationSpec spec ? spec.uncordon() : Optional.empty();
      return Optional.of(
          checks
              .filter(_ -> situation.node().unschedulable())
              .map(spec -> UncordonRules.next(situation, spec))
              .orElseGet(() -> UncordonRules.uncordon(situation, situation.status())));
    }
    return Optional.empty();
  }

  private static Step withdrawn(Situation<?, ?> situation, Step step) {
    return situation
        .ownOrder()
        .map(order ->
            step.then(new WithdrawOrder(situation.node().name(), Metadata.uid(order)))
                .again(UNDONE))
        .orElse(step);
  }
}
