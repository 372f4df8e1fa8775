package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition.DISABLED;

import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.Phase;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import java.time.Instant;
import java.util.List;

/** Completes a status with its phase and its time. */
final class StatusPhases {
  private StatusPhases() {}

  /**
   * Completes a status.
   *
   * @param last the status as it was
   * @param conditions a status with the conditions as they are now
   */
  static NodeHealthCheckStatus complete(
      NodeHealthCheckStatus last,
      NodeHealthCheckStatus conditions,
      int observed,
      int healthy,
      List<UnhealthyNode> unhealthy,
      List<String> pauseRequests,
      Instant stamp) {
    NodeHealthCheckStatus status =
        new NodeHealthCheckStatus(
            observed,
            healthy,
            unhealthy,
            conditions.conditions(),
            Phase.ENABLED,
            "NHC is enabled, no ongoing remediation",
            last.lastUpdateTime());
    NodeHealthCheckStatus complete = withPhase(status, pauseRequests);
    return complete.equals(last) ? last : at(complete, stamp);
  }

  /** Sums the status up in one word and a sentence. */
  private static NodeHealthCheckStatus withPhase(
      NodeHealthCheckStatus status, List<String> pauseRequests) {
    StatusCondition disabled =
        status.condition(DISABLED).filter(StatusCondition::active).orElse(null);
    if (disabled != null) {
      return in(
          status,
          Phase.DISABLED,
          "NHC is disabled: " + disabled.reason() + ": " + disabled.message());
    }
    if (!pauseRequests.isEmpty()) {
      return in(status, Phase.PAUSED, "NHC is paused: " + String.join(",", pauseRequests));
    }
    if (status.isRemediating()) {
      return in(
          status,
          Phase.REMEDIATING,
          "NHC is remediating " + status.unhealthyNodes().size() + " nodes");
    }
    return status;
  }

  private static NodeHealthCheckStatus in(
      NodeHealthCheckStatus status, Phase phase, String reason) {
    return new NodeHealthCheckStatus(
        status.observedNodes(),
        status.healthyNodes(),
        status.unhealthyNodes(),
        status.conditions(),
        phase,
        reason,
        status.lastUpdateTime());
  }

  private static NodeHealthCheckStatus at(NodeHealthCheckStatus status, Instant stamp) {
    return new NodeHealthCheckStatus(
        status.observedNodes(),
        status.healthyNodes(),
        status.unhealthyNodes(),
        status.conditions(),
        status.phase(),
        status.reason(),
        stamp);
  }
}
