package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition.DISABLED;

import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.Phase;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import java.time.Instant;
import java.util.List;

/** Completes a status with its phase, in one word and a sentence, and its time. */
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
    StatusCondition disabled =
        conditions.condition(DISABLED).filter(StatusCondition::active).orElse(null);
    Phase phase = Phase.ENABLED;
    String reason = "NHC is enabled, no ongoing remediation";
    if (disabled != null) {
      phase = Phase.DISABLED;
      reason = "NHC is disabled: " + disabled.reason() + ": " + disabled.message();
    } else if (!pauseRequests.isEmpty()) {
      phase = Phase.PAUSED;
      reason = "NHC is paused: " + String.join(",", pauseRequests);
    } else if (unhealthy.stream().anyMatch(node -> !node.remediations().isEmpty())) {
      phase = Phase.REMEDIATING;
      reason = "NHC is remediating " + unhealthy.size() + " nodes";
    }
    NodeHealthCheckStatus status =
        new NodeHealthCheckStatus(
            observed,
            healthy,
            unhealthy,
            conditions.conditions(),
            phase,
            reason,
            last.lastUpdateTime());
    return status.equals(last) ? last : at(status, stamp);
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
