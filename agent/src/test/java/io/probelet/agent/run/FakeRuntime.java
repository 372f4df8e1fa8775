package io.probelet.agent.run;

import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.RuntimeListener;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Containers that are nothing but what a test says of them; commands succeed unless broken. */
public final class FakeRuntime implements ContainerRuntime {
  /** Commands that were run, and where. */
  record Run(String containerId, List<String> command) {}

  /** Containers that were stopped. */
  record Stop(String containerId, Duration grace) {}

  final ConcurrentLinkedQueue<Run> runs = new ConcurrentLinkedQueue<>();
  final ConcurrentLinkedQueue<Stop> stops = new ConcurrentLinkedQueue<>();
  private final Set<String> broken = ConcurrentHashMap.newKeySet();
  private RuntimeListener listener;
  private volatile boolean closed;

  /** Makes it seen that this is the pod's container "app". */
  void runs(PodRef pod, String containerId) {
    ContainerObservation app =
        ContainerObservation.running(containerId, Instant.parse("2026-11-21T12:00:00Z"), 0);
    listener.observed(
        new PodObservation(
            pod,
            PodObservation.Phase.RUNNING,
            false,
            false,
            List.of("127.0.0.1"),
            Map.of("app", app)));
  }

  void gone(PodRef pod) {
    listener.gone(pod);
  }

  /** From now on commands in this container fail. */
  public void breaks(String containerId) {
    broken.add(containerId);
  }

  boolean closed() {
    return closed;
  }

  @Override
  public void watch(RuntimeListener hearer) {
    listener = hearer;
  }

  @Override
  public ExecResult exec(
      PodRef pod, String containerId, List<String> command, Duration timeout, int outputLimit) {
    return hook(containerId, command, timeout);
  }

  @Override
  public ExecResult hook(String containerId, List<String> command, Duration within) {
    runs.add(new Run(containerId, command));
    return new ExecResult.Exited(broken.contains(containerId) ? 1 : 0, "");
  }

  @Override
  public void stop(String containerId, Duration grace) {
    stops.add(new Stop(containerId, grace));
  }

  @Override
  public void close() {
    closed = true;
  }
}
