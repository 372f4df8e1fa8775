package io.probelet.runtime.process;

import static org.awaitility.Awaitility.await;

import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.RuntimeListener;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** Remembers all that a runtime reported. */
final class RecordedPods implements RuntimeListener {
  private final List<PodObservation> observed = new CopyOnWriteArrayList<>();
  private final List<PodRef> gone = new CopyOnWriteArrayList<>();

  @Override
  public void observed(PodObservation observation) {
    observed.add(observation);
  }

  @Override
  public void gone(PodRef pod) {
    gone.add(pod);
  }

  List<PodRef> gone() {
    return List.copyOf(gone);
  }

  /** Waits for a container to look in some way, be it in the past. */
  ContainerObservation container(String name, Predicate<ContainerObservation> looks) {
    return await()
        .until(
            () ->
                observed.stream()
                    .map(pod -> pod.containers().get(name))
                    .filter(Objects::nonNull)
                    .filter(looks)
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  ContainerObservation running(String name) {
    return container(name, ContainerObservation::running);
  }

  ContainerObservation running(String name, int restartCount) {
    return container(name, it -> it.running() && it.restartCount() == restartCount);
  }

  ContainerObservation ended(String name) {
    return container(name, it -> it.state() == ContainerObservation.State.TERMINATED);
  }

  /** Waits for a pod to look in some way, be it in the past. */
  PodObservation pod(Predicate<PodObservation> looks) {
    return await()
        .until(() -> observed.stream().filter(looks).findFirst(), Optional::isPresent)
        .orElseThrow();
  }

  PodObservation last() {
    return observed.getLast();
  }
}
