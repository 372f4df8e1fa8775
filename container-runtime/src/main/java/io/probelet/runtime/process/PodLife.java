package io.probelet.runtime.process;

import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of one pod: its containers, the progress of init containers, and whether it is ending.
 * Immutable.
 *
 * @param containers init containers first, each group in the order of the manifest
 * @param initialised how many init containers have let the next one start; goes back only when all
 *     containers restart (D-5, D-23)
 * @param ending null while containers are kept running
 * @param gone whether the pod has ended completely
 */
record PodLife(
    LocalPod pod,
    List<ContainerLife> containers,
    int initialised,
    @Nullable Ending ending,
    boolean gone) {
  /** All local pods share the machine's network. */
  static final String IP = "127.0.0.1";

  private static final List<String> IPS = List.of(IP);

  PodLife {
    containers = List.copyOf(containers);
  }

  /**
   * All containers of the pod are being ended.
   *
   * @param deleted whether because it was removed, not because its containers are done
   * @param restartedBy the container because of which all start again; null if none does
   */
  record Ending(boolean deleted, long deadlineNanos, @Nullable String restartedBy) {
    Ending(boolean deleted, long deadlineNanos) {
      this(deleted, deadlineNanos, null);
    }
  }

  static PodLife of(LocalPod pod) {
    List<ContainerLife> all = new ArrayList<>();
    for (LocalContainer container : pod.initContainers()) {
      all.add(ContainerLife.of(container, pod.restartPolicy(), true));
    }
    for (LocalContainer container : pod.containers()) {
      all.add(ContainerLife.of(container, pod.restartPolicy(), false));
    }
    return new PodLife(pod, all, 0, null, false);
  }

  PodLife with(List<ContainerLife> changed) {
    return new PodLife(pod, changed, initialised, ending, gone);
  }

  PodLife with(Ending changed) {
    return new PodLife(pod, containers, initialised, changed, gone);
  }

  PodLife nextInitialised() {
    return new PodLife(pod, containers, initialised + 1, ending, gone);
  }

  /** All containers have ended, and start again in their order. */
  PodLife startingAgain() {
    List<ContainerLife> again = containers.stream().map(ContainerLife::startingAgain).toList();
    return new PodLife(pod, again, 0, null, gone);
  }

  PodLife departed() {
    return new PodLife(pod, containers, initialised, ending, true);
  }

  boolean initialisedAll() {
    return initialised == pod.initContainers().size();
  }

  Stream<ContainerLife> regular() {
    return containers.stream().filter(container -> !container.init());
  }

  /** Whether an init container failed and will not be retried. */
  boolean initFailed() {
    return containers.stream()
        .anyMatch(each -> each.init() && each.over() && !each.succeeded() && !each.sidecar());
  }

  /** Whether all regular work of the pod is done; sidecars may still run. */
  boolean done() {
    return initFailed() || regular().allMatch(ContainerLife::over);
  }

  boolean allDown() {
    return containers.stream().noneMatch(ContainerLife::live);
  }

  PodObservation observation() {
    Map<String, ContainerObservation> seen = new LinkedHashMap<>();
    for (ContainerLife container : containers) {
      boolean waitsForOthers = container.init() || !initialisedAll();
      seen.put(
          container.container().name(),
          container.observation(waitsForOthers ? "PodInitializing" : "ContainerCreating"));
    }
    return new PodObservation(
        pod.ref(), phase(), ending != null && ending.deleted(), false, IPS, seen);
  }

  private Phase phase() {
    if (done() && allDown()) {
      return !initFailed() && regular().allMatch(ContainerLife::succeeded)
          ? Phase.SUCCEEDED
          : Phase.FAILED;
    }
    return regular().anyMatch(ContainerLife::never) ? Phase.PENDING : Phase.RUNNING;
  }
}
