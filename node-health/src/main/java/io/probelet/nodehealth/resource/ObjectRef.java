package io.probelet.nodehealth.resource;

import org.jspecify.annotations.Nullable;

/**
 * The address of one Kubernetes object.
 *
 * @param apiVersion group and version, {@code remediation.medik8s.io/v1alpha1}
 * @param kind kind
 * @param namespace namespace; null for a cluster-scoped object
 * @param name name
 */
public record ObjectRef(String apiVersion, String kind, @Nullable String namespace, String name) {
  /** {@return {@code Kind namespace/name}, or {@code Kind name} without a namespace} */
  @Override
  public String toString() {
    return kind + " " + (namespace == null ? "" : namespace + "/") + name;
  }
}
