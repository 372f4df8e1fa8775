package io.probelet.nodehealth.resource;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The address of one Kubernetes object.
 *
 * @param apiVersion group and version, {@code remediation.medik8s.io/v1alpha1}
 * @param namespace namespace; null for a cluster-scoped object
 */
public record ObjectRef(String apiVersion, String kind, @Nullable String namespace, String name) {
  /**
   * Same value as the generated one, but this is a key that is looked up in each plan: see
   * NodeFacts.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof ObjectRef that
            && name.equals(that.name)
            && kind.equals(that.kind)
            && apiVersion.equals(that.apiVersion)
            && Objects.equals(namespace, that.namespace));
  }

  @Override
  public int hashCode() {
    return 31 * kind.hashCode() + name.hashCode();
  }

  /** {@return {@code Kind namespace/name}, or {@code Kind name} without a namespace} */
  @Override
  public String toString() {
    return kind + " " + (namespace == null ? "" : namespace + "/") + name;
  }
}
