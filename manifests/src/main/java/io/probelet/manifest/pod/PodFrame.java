package io.probelet.manifest.pod;

import java.util.Set;

/**
 * The data that a pod gets from its enclosing object.
 *
 * @param kind the owner's kind: {@code Pod} or the workload's kind
 * @param unreadFields allowed fields besides {@code metadata} and {@code spec}
 * @param furtherVolumes volumes that the workload adds to each pod
 */
record PodFrame(
    String kind, PodMetadata metadata, Set<String> unreadFields, Set<String> furtherVolumes) {
  /** The kind of a pod without a workload. */
  static final String POD = "Pod";

  PodFrame {
    unreadFields = Set.copyOf(unreadFields);
    furtherVolumes = Set.copyOf(furtherVolumes);
  }

  /** Returns the frame of a Pod without a workload. */
  static PodFrame ofPod(PodMetadata metadata) {
    return new PodFrame(POD, metadata, Set.of("apiVersion", "kind", "status"), Set.of());
  }
}
