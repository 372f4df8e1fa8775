package io.probelet.nodehealth.resource;

import java.util.List;

/**
 * A NodeHealthCheck with its spec and its last status.
 *
 * @param status our last status: from the cache or, if that is newer, our own write
 */
public record NodeHealthCheck(
    String name, String uid, NodeHealthCheckSpec spec, NodeHealthCheckStatus status) {
  /** Its group and version. */
  public static final String API_VERSION = "remediation.medik8s.io/v1alpha1";

  /** Its kind. */
  public static final String KIND = "NodeHealthCheck";

  /**
   * Replaces the status.
   *
   * @param newStatus the new one
   * @return a copy with it
   */
  public NodeHealthCheck withStatus(NodeHealthCheckStatus newStatus) {
    return new NodeHealthCheck(name, uid, spec, newStatus);
  }

  /**
   * Replaces the pause requests.
   *
   * @return a copy with them
   */
  public NodeHealthCheck withPauseRequests(List<String> requests) {
    NodeHealthCheckSpec paused =
        new NodeHealthCheckSpec(
            spec.selector(),
            spec.unhealthyConditions(),
            spec.floor(),
            spec.steps(),
            spec.stormCooldown(),
            requests,
            spec.healthyDelay(),
            spec.neverReadyAfter(),
            spec.settle(),
            spec.unhealthyWhen());
    return new NodeHealthCheck(name, uid, paused, status);
  }
}
