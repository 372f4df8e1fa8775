package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.resource.NodeHealthCheck;

/**
 * An owner reference.
 *
 * @param apiVersion the owner's group and version
 * @param kind the owner's kind
 * @param name the owner's name
 * @param uid the owner's unique identifier; empty if it has to be read before it is written
 */
public record OwnerRef(String apiVersion, String kind, String name, String uid) {
  static OwnerRef of(NodeHealthCheck owner) {
    return new OwnerRef(
        NodeHealthCheck.API_VERSION, NodeHealthCheck.KIND, owner.name(), owner.uid());
  }

  /** the uid does not count, so that a restored backup still owns its remediations. */
  boolean names(NodeHealthCheck owner) {
    return kind.equals(NodeHealthCheck.KIND)
        && apiVersion.equals(NodeHealthCheck.API_VERSION)
        && name.equals(owner.name());
  }
}
