package io.probelet.runtime.process;

import io.probelet.probe.PodRef;
import io.probelet.probe.RestartPolicy;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A pod whose containers run as local processes. Immutable: a changed pod is another pod with
 * another uid.
 *
 * @param restartPolicy policy of containers without their own
 * @param terminationGracePeriod time between TERM and KILL when the pod ends, zero or more
 * @param initContainers plain ones and sidecars, in start order; possibly empty
 * @param containers at least one; they start together after the init containers
 */
public record LocalPod(
    PodRef ref,
    RestartPolicy restartPolicy,
    Duration terminationGracePeriod,
    List<LocalContainer> initContainers,
    List<LocalContainer> containers) {
  /**
   * Checks the pod, and keeps unmodifiable copies of the lists.
   *
   * @throws IllegalArgumentException if there is no container, two have the same name, a regular
   *     one is a sidecar, or the grace period is negative
   */
  public LocalPod {
    initContainers = List.copyOf(initContainers);
    containers = List.copyOf(containers);
    if (containers.isEmpty()) {
      throw new IllegalArgumentException("pod " + ref + " has no container; it needs at least one");
    }
    if (terminationGracePeriod.isNegative()) {
      throw new IllegalArgumentException(
          "pod " + ref + ": grace period " + terminationGracePeriod + " is negative");
    }
    Set<String> names = new HashSet<>();
    for (List<LocalContainer> each : List.of(initContainers, containers)) {
      for (LocalContainer container : each) {
        if (!names.add(container.name())) {
          throw new IllegalArgumentException(
              "pod " + ref + " has two containers named " + container.name());
        }
      }
    }
    for (LocalContainer container : containers) {
      if (container.spec().sidecar()) {
        throw new IllegalArgumentException(
            "pod " + ref + ": sidecar " + container.name() + " must be an init container");
      }
    }
  }
}
