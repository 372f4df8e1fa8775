package io.probelet.nodehealth.controller;

import io.probelet.kube.election.ElectionTiming;
import java.time.Duration;

/**
 * How the remediation of a cluster is set up.
 *
 * @param identity name of the pod or the node, by which a reader knows the leader
 * @param namespace where the leader's lease is; exists
 * @param leaseNamespace where the leases of nodes are; created if missing
 * @param eventComponent whose events they are said to be
 * @param timing how the leader is elected
 */
public record RemediationSettings(
    String identity,
    String namespace,
    String leaseNamespace,
    String eventComponent,
    ElectionTiming timing) {
  /** Where the leases of nodes are by default. */
  public static final String LEASE_NAMESPACE = "medik8s-leases";

  /** Whose events they are said to be by default. */
  public static final String EVENT_COMPONENT = "probelet";

  /** How long a request may take: less than others wait after our last sign of life. */
  Duration requestTimeout() {
    return timing.lease().minus(timing.deadline());
  }
}
