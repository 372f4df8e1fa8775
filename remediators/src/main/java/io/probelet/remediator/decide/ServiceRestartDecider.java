package io.probelet.remediator.decide;

import io.probelet.health.GoDuration;
import io.probelet.remediator.order.OrderAction;
import io.probelet.remediator.resource.NodeConditionStatus;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.remediator.resource.ServiceRestartSpec;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Has the node's agent restart units of systemd, then waits for the node's conditions (ACT-42).
 *
 * <pre>
 *   Ordered                              Waiting
 *     |── 1 min to answer ── activeWithin ──|────────── healthyWithin ──────────|
 *                                           units are active        conditions, or failed
 * </pre>
 */
public final class ServiceRestartDecider implements Decider<ServiceRestartSpec, NoObservation> {
  private static final Duration ANSWER_WITHIN = Duration.ofMinutes(1);

  /** Keeps nothing. */
  public ServiceRestartDecider() {}

  @Override
  public Step next(Situation<ServiceRestartSpec, NoObservation> situation) {
    ServiceRestartSpec spec = situation.spec();
    if (situation.status().phase() == RemediationPhase.WAITING) {
      return waiting(situation, spec);
    }
    OrderAction action = new OrderAction.RestartServices(spec.units());
    return switch (OrderCourse.of(situation, action, ANSWER_WITHIN, spec.activeWithin())) {
      case OrderCourse.GoingOn(Step step) -> step;
      case OrderCourse.Refused(String message) ->
          Step.of(situation.status().failed("ServicesNotRestarted", message, situation.now()));
      case OrderCourse.Carried(String message, Action.WithdrawOrder order) ->
          Step.of(situation.status().in(RemediationPhase.WAITING, message, situation.now()))
              .then(order)
              .again(OrderCourse.SOON);
    };
  }

  private static Step waiting(
      Situation<ServiceRestartSpec, NoObservation> situation, ServiceRestartSpec spec) {
    List<NodeConditionStatus> missing =
        spec.conditions().stream()
            .filter(
                wanted -> !wanted.status().equals(situation.node().conditions().get(wanted.type())))
            .toList();
    String units = String.join(", ", spec.units());
    if (missing.isEmpty()) {
      return Step.of(situation.status().succeeded("restarted " + units, situation.now()));
    }
    Duration left = spec.healthyWithin().minus(situation.inPhase());
    if (left.compareTo(Duration.ZERO) <= 0) {
      return Step.of(
          situation
              .status()
              .failed(
                  "NodeNotHealthy",
                  "%s after restarting %s, the node has %s"
                      .formatted(
                          GoDuration.format(spec.healthyWithin()),
                          units,
                          found(situation, missing)),
                  situation.now()));
    }
    return Step.of(
            situation
                .status()
                .in(
                    RemediationPhase.WAITING,
                    "restarted %s; the node still has %s"
                        .formatted(units, found(situation, missing)),
                    situation.now()))
        .again(OrderCourse.again(left));
  }

  private static String found(
      Situation<ServiceRestartSpec, NoObservation> situation, List<NodeConditionStatus> missing) {
    return missing.stream()
        .map(wanted ->
            "%s=%s (not %s)"
                .formatted(
                    wanted.type(),
                    situation.node().conditions().getOrDefault(wanted.type(), "nothing"),
                    wanted.status()))
        .collect(Collectors.joining(", "));
  }
}
