package io.probelet.nodehealth.controller;

import io.probelet.nodehealth.resource.ObjectRef;

/**
 * What metrics call a remediation: by its node, however the resource itself is named.
 *
 * @param node the node's name
 * @param namespace the resource's; empty if it is in none
 * @param kind the resource's
 */
public record NodeUnderRemediation(String node, String namespace, String kind) {
  static NodeUnderRemediation of(String node, ObjectRef resource) {
    String namespace = resource.namespace();
    return new NodeUnderRemediation(node, namespace == null ? "" : namespace, resource.kind());
  }
}
