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
 * @param settle how long no node may have become healthy or stopped being healthy before a
 *     remediation is created, from 0 to {@link #MAX_SETTLE}; 0 creates it at once (RB-6)
 */
public record NodeHealthCheckSpec(
    LabelSelector selector,
    List<UnhealthyCondition> unhealthyConditions,
    HealthyFloor floor,
    List<RemediationStep> steps,
    @Nullable Duration stormCooldown,
    List<String> pauseRequests,
    Duration healthyDelay,
    @Nullable Duration neverReadyAfter,
    Duration settle) {
  /** How long nothing must change unless a NodeHealthCheck says otherwise (RB-6). */
  public static final Duration DEFAULT_SETTLE = Duration.ofSeconds(2);

  /** No remediation waits longer than this for its cluster to settle (RB-6). */
  public static final Duration MAX_SETTLE = Duration.ofSeconds(10);

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
