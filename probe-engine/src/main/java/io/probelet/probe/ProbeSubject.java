package io.probelet.probe;

import org.jspecify.annotations.Nullable;

/**
 * Identifies one probe on a node.
 *
 * @param pod the pod
 * @param container the container's name
 * @param kind what it decides
 */
public record ProbeSubject(PodRef pod, String container, ProbeKind kind) {
  /**
   * Same as the generated one, but faster: C1 calls the generated one through method handles, and
   * each probe needs it.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof ProbeSubject that
            && kind == that.kind
            && container.equals(that.container)
            && pod.equals(that.pod));
  }

  @Override
  public int hashCode() {
    return 31 * (31 * pod.hashCode() + container.hashCode()) + kind.hashCode();
  }
}
