package io.probelet.probe;

import org.jspecify.annotations.Nullable;

/**
 * Identifies one pod during its lifetime.
 *
 * @param namespace its namespace, never empty
 * @param name its name, never empty
 * @param uid unique over time: a recreated pod of the same name has another uid
 */
public record PodRef(String namespace, String name, String uid) {
  /** Rejects empty parts, which would let two pods share results. */
  public PodRef {
    if (namespace.isEmpty() || name.isEmpty() || uid.isEmpty()) {
      throw new IllegalArgumentException(
          "a pod needs namespace, name and uid: " + namespace + "/" + name + "/" + uid);
    }
  }

  /**
   * Same as the generated one, but faster: C1 calls the generated one through method handles, and
   * each probe needs it.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof PodRef that
            && uid.equals(that.uid)
            && name.equals(that.name)
            && namespace.equals(that.namespace));
  }

  @Override
  public int hashCode() {
    return uid.hashCode();
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
