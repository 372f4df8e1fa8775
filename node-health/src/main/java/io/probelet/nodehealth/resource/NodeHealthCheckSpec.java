package io.probelet.nodehealth.resource;

import io.probelet.document.selector.LabelSelector;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a user asks for; valid.
 *
 * @param selector which nodes
 * @param unhealthyConditions what makes a node unhealthy, one is enough
 * @param floor how many nodes must be healthy before any is remediated
 * @param steps how to remediate, first to last, at least one; all of them have a timeout when there
 *     are several
 * @param stormCooldown how long to wait after too many nodes were unhealthy; null for not at all
 * @param pauseRequests who wants remediation paused; any entry pauses
 * @param healthyDelay how long a node must be healthy before its remediation ends; negative for
 *     until a person confirms
 * @param neverReadyAfter the age at which a node that never had a Ready condition is unhealthy;
 *     null for never (RB-4)
 */
public record NodeHealthCheckSpec(
    LabelSelector selector,
    List<UnhealthyCondition> unhealthyConditions,
    HealthyFloor floor,
    List<RemediationStep> steps,
    @Nullable Duration stormCooldown,
    List<String> pauseRequests,
    Duration healthyDelay,
    @Nullable Duration neverReadyAfter) {
  /** Copies the lists and checks that there is a step. */
  public NodeHealthCheckSpec {
    unhealthyConditions = List.copyOf(unhealthyConditions);
    steps = List.copyOf(steps);
    pauseRequests = List.copyOf(pauseRequests);
    if (steps.isEmpty()) {
      throw new IllegalArgumentException("a NodeHealthCheck without a remediation step");
    }
  }
}
