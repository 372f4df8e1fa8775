package io.probelet.nodehealth.controller;

/**
 * How the remediation of a cluster is set up.
 *
 * @param identity name of the pod or the node, by which a reader knows the leader
 * @param leaseNamespace where the leases of nodes are; created if missing
 * @param eventComponent whose events they are said to be
 */
public record RemediationSettings(String identity, String leaseNamespace, String eventComponent) {
  /** Where the leases of nodes are by default. */
  public static final String LEASE_NAMESPACE = "medik8s-leases";

  /** Whose events they are said to be by default. */
  public static final String EVENT_COMPONENT = "probelet";
}
