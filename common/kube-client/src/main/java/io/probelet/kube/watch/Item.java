package io.probelet.kube.watch;

import org.jspecify.annotations.Nullable;

/**
 * An object that was read.
 *
 * @param namespace its namespace; null if it has none
 */
public record Item<T>(
    @Nullable String namespace, String name, String uid, String version, T value) {
  /** {@return namespace and name, the key among objects of its kind} */
  public String key() {
    return namespace == null ? name : namespace + "/" + name;
  }
}
