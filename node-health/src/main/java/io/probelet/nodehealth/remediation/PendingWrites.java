package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.policy.PastRemediation;
import java.util.Map;
import java.util.Set;

/**
 * Our own writes that no watch has confirmed yet (N-2). No decision is made about these nodes until
 * then.
 *
 * @param controlPlane those of them that belong to the control plane and got a remediation
 * @param status whether the NodeHealthCheck's status is newer than what the API server has
 *     confirmed
 * @param counted by node, what policies count already although its creation failed (ACT-79)
 */
public record PendingWrites(
    Set<String> nodes,
    Set<String> controlPlane,
    boolean status,
    Map<String, PastRemediation> counted) {
  /** All has been seen. */
  public static final PendingWrites NONE = new PendingWrites(Set.of(), Set.of(), false);

  /** Keeps unmodifiable copies of the sets. */
  public PendingWrites {
    nodes = Set.copyOf(nodes);
    controlPlane = Set.copyOf(controlPlane);
    counted = Map.copyOf(counted);
  }

  /**
   * Without creations that failed.
   *
   * @param controlPlane those of them that belong to the control plane and got a remediation
   * @param status whether the status is newer than what the API server has confirmed
   */
  public PendingWrites(Set<String> nodes, Set<String> controlPlane, boolean status) {
    this(nodes, controlPlane, status, Map.of());
  }
}
