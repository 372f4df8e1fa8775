package io.probelet.probe;

import java.time.Duration;
import java.util.List;

/**
 * A pod and the probes that the engine runs for it. Immutable: a pod with changed probes is a new
 * instance.
 *
 * @param ref which pod
 * @param restartPolicy the pod's policy
 * @param terminationGracePeriod grace for containers whose probe gives none; the API's default is
 *     30 s
 * @param containers all containers in the order of the manifest, init containers first
 */
public record ProbedPod(
    PodRef ref,
    RestartPolicy restartPolicy,
    Duration terminationGracePeriod,
    List<ContainerSpec> containers) {
  /** Keeps an unmodifiable copy of the containers. */
  public ProbedPod {
    containers = List.copyOf(containers);
  }
}
