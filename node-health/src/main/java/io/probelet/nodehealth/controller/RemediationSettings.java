package io.probelet.nodehealth.controller;

/**
 * Settings of the remediation of a cluster.
 *
 * @param identity name of the pod or the node, which identifies the leader
 * @param leaseNamespace namespace of the nodes' leases; created if missing
 * @param eventComponent source component of events
 */
public record RemediationSettings(String identity, String leaseNamespace, String eventComponent) {
  /** The default namespace of the nodes' leases. */
  public static final String LEASE_NAMESPACE = "medik8s-leases";

  /** The default source component of events. */
  public static final String EVENT_COMPONENT = "probelet";
}
