package io.probelet.manifest.pod;

import java.util.Set;

/**
 * What a pod is given by the object that it is part of.
 *
 * @param kind whose pod it is: {@code Pod} or the workload's kind
 * @param unreadFields fields beside {@code metadata} and {@code spec} that may be there
 * @param furtherVolumes volumes that the workload gives to each pod
 */
record PodFrame(
    String kind, PodMetadata metadata, Set<String> unreadFields, Set<String> furtherVolumes) {
  /** The kind of what is a pod itself. */
  static final String POD = "Pod";

  PodFrame {
    unreadFields = Set.copyOf(unreadFields);
    furtherVolumes = Set.copyOf(furtherVolumes);
  }

  /** Returns that of a Pod, which has all from itself. */
  static PodFrame ofPod(PodMetadata metadata) {
    return new PodFrame(POD, metadata, Set.of("apiVersion", "kind", "status"), Set.of());
  }
}
