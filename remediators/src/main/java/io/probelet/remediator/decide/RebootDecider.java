package io.probelet.remediator.decide;

import io.probelet.health.GoDuration;
import io.probelet.remediator.order.OrderAction;
import io.probelet.remediator.resource.DrainSpec;
import io.probelet.remediator.resource.RebootSpec;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.remediator.resource.RemediationProgress;
import java.time.Duration;
import java.util.Optional;

/**
 * Drains the node if that is asked for, has its agent reboot it, and waits until the Node says that
 * it is in another boot (ACT-43).
 *
 * <pre>
 *   Draining            Ordered                                      Waiting
 *     |── drain.timeout ──|── answerWithin ──|── rebootWithin + 30 s ──|── rebootWithin ──|
 *                                                     the order is done    another bootID
 * </pre>
 */
public final class RebootDecider implements Decider<RebootSpec, DrainPods> {
  /** Keeps nothing. */
  public RebootDecider() {}

  @Override
  public Step next(Situation<RebootSpec, DrainPods> situation) {
    RemediationProgress status = situation.status();
    if (situation.hasBooted()) { // ACT-43: which is all that was to be achieved, whoever did it
      String text = "the node has rebooted, boot ID " + situation.node().bootId();
      return Step.of(status.succeeded(text, situation.now())).say(Notice.normal("Rebooted", text));
    }
    return switch (status.phase()) {
      case ORDERED -> ordered(situation);
      case WAITING -> waiting(situation);
      default -> {
        Optional<DrainSpec> drain = situation.spec().drain();
        yield drain.isPresent() ? draining(situation, drain.get()) : ordered(situation);
      }
    };
  }

  private static Step draining(Situation<RebootSpec, DrainPods> situation, DrainSpec spec) {
    DrainProgress drain = DrainProgress.of(situation, spec);
    return switch (drain.state()) {
      case GOING_ON -> drain.goingOn(situation);
      case DRAINED -> ordered(situation);
      case FAILED -> failed(situation, "DrainFailed", drain.message());
    };
  }

  private static Step ordered(Situation<RebootSpec, DrainPods> situation) {
    RebootSpec spec = situation.spec();
    OrderAction action = new OrderAction.Reboot(spec.mode());
    return switch (OrderCourse.of(situation, action, spec.answerWithin(), spec.rebootWithin())) {
      case OrderCourse.GoingOn(Step step) -> step;
      case OrderCourse.Refused(String message) -> failed(situation, "NodeNotRebooted", message);
      case OrderCourse.Carried(String message, Action.WithdrawOrder order) ->
          Step.of(situation.status().in(RemediationPhase.WAITING, message, situation.now()))
              .then(order)
              .again(OrderCourse.SOON);
    };
  }

  /** The agent is back before the kubelet is. */
  private static Step waiting(Situation<RebootSpec, DrainPods> situation) {
    Duration within = situation.spec().rebootWithin();
    Duration left = within.minus(situation.inPhase());
    if (left.compareTo(Duration.ZERO) > 0) {
      return Step.of(
              situation
                  .status()
                  .in(
                      RemediationPhase.WAITING,
                      "rebooted; waiting for the kubelet to report the new boot ID",
                      situation.now()))
          .again(OrderCourse.again(left));
    }
    return failed(
        situation,
        "NodeNotRebooted",
        "%s after the reboot the Node still reports boot ID %s"
            .formatted(GoDuration.format(within), situation.node().bootId()));
  }

  private static Step failed(
      Situation<RebootSpec, DrainPods> situation, String reason, String message) {
    return Step.of(situation.status().failed(reason, message, situation.now()))
        .say(Notice.warning(reason, message));
  }
}
