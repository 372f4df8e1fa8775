package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.policy.PastRemediation;
import java.util.Map;
import java.util.Set;

/**
 * Our own writes that no watch has confirmed yet (N-2). No decision is made about these nodes until
 * then.
 *
 * @param controlPlane those of them that belong to the control plane and got a remediation
 * @param status whether the NodeHealthCheck's status is newer than the API server's
 * @param counted by node, remediations that policies already count although their creation failed
 *     (ACT-79)
 */
public record PendingWrites(
    Set<String> nodes,
    Set<String> controlPlane,
    boolean status,
    Map<String, PastRemediation> counted) {
  /** All writes are confirmed. */
  public static final PendingWrites NONE = new PendingWrites(Set.of(), Set.of(), false);

  /** Keeps unmodifiable copies of the sets. */
  public PendingWrites {
    nodes = Set.copyOf(nodes);
    controlPlane = Set.copyOf(controlPlane);
    counted = Map.copyOf(counted);
  }

  /**
   * Without failed creations.
   *
   * @param controlPlane those of them that belong to the control plane and got a remediation
   * @param status whether the status is newer than the API server's
   */
  public PendingWrites(Set<String> nodes, Set<String> controlPlane, boolean status) {
    this(nodes, controlPlane, status, Map.of());
  }
}
