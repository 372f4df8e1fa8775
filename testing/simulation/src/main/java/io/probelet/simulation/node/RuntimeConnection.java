package io.probelet.simulation.node;

import io.probelet.health.GoDuration;
import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.RuntimeListener;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.kernel.Simulation;
import io.probelet.simulation.node.RuntimeFaults.Trip;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A simulated runtime as one process sees it. Like {@code CriRuntime} it polls, sooner after an
 * event of the runtime, and reports the differences.
 */
final class RuntimeConnection implements ContainerRuntime {
  private static final Duration CALL = Duration.ofSeconds(5);
  private static final Duration WITH_EVENTS = Duration.ofSeconds(10);
  private static final Duration BURST = Duration.ofMillis(100);
  private static final Duration RETRY = Duration.ofMillis(500);
  private static final Duration LEEWAY = Duration.ofSeconds(30);
  private static final Duration EXEC_LEEWAY = Duration.ofMinutes(2);

  private final Simulation world;
  private final SimulatedProcess process;
  private final SimulatedRuntime runtime;
  private final Runnable event = this::pollSoon;
  private Map<PodRef, PodObservation> reported = new LinkedHashMap<>();
  private @Nullable Thread watch;
  private CompletableFuture<Void> wake = new CompletableFuture<>();
  private boolean closed;

  RuntimeConnection(Simulation world, SimulatedProcess process, SimulatedRuntime runtime) {
    this.world = world;
    this.process = process;
    this.runtime = runtime;
  }

  @Override
  public void watch(RuntimeListener listener) {
    runtime.watch(event);
    watch = process.ofVirtual().name("runtime-watch").start(() -> poll(listener));
  }

  private void pollSoon() {
    if (process.isKilled()) {
      runtime.unwatch(event);
    } else {
      wake.complete(null);
    }
  }

  private void poll(RuntimeListener listener) {
    try {
      while (!closed) {
        wake = new CompletableFuture<>();
        awaitEvent(report(listener) ? WITH_EVENTS : RETRY);
        process.sleep(BURST);
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitEvent(Duration longest) throws InterruptedException {
    try {
      process.get(wake, longest);
    } catch (TimeoutException quiet) {
      wake.complete(null);
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Reports the differences; returns whether the runtime responded. */
  private boolean report(RuntimeListener listener) throws InterruptedException {
    List<PodObservation> list;
    try {
      list = call("ListContainers", CALL, answer -> answer.complete(runtime.list()));
    } catch (ContainerRuntimeException away) {
      return false;
    }
    Map<PodRef, PodObservation> before = reported;
    Map<PodRef, PodObservation> now = new LinkedHashMap<>();
    list.forEach(each -> now.put(each.pod(), each));
    reported = now;
    now.values().stream()
        .filter(each -> !each.equals(before.get(each.pod())))
        .forEach(listener::observed);
    before.keySet().stream().filter(each -> !now.containsKey(each)).forEach(listener::gone);
    return true;
  }

  private <T> T call(String method, Duration timeout, Consumer<CompletableFuture<T>> service)
      throws ContainerRuntimeException, InterruptedException {
    Trip trip = runtime.trip(process, method);
    CompletableFuture<T> served = new CompletableFuture<>();
    CompletableFuture<T> answer = new CompletableFuture<>();
    if (!trip.responseLost()) {
      var _ =
          served.whenComplete((result, failure) ->
              world.after(
                  trip.back(),
                  () -> {
                    if (failure == null) {
                      answer.complete(result);
                    } else {
                      answer.completeExceptionally(failure);
                    }
                  }));
    }
    if (!trip.requestLost()) {
      world.after(trip.there(), () -> runtime.serve(served, service));
    }
    try {
      return process.get(answer, timeout);
    } catch (TimeoutException late) {
      throw new ContainerRuntimeException(
          method + ": no response within " + GoDuration.format(timeout), late);
    } catch (ExecutionException failed) {
      throw new ContainerRuntimeException(
          method + ": " + String.valueOf(failed.getCause()), failed);
    }
  }

  @Override
  public ExecResult exec(
      PodRef pod, String containerId, List<String> command, Duration timeout, int outputLimit)
      throws ContainerRuntimeException, InterruptedException {
    return call(
        "ExecSync",
        timeout.plus(EXEC_LEEWAY),
        answer -> runtime.exec(runtime.find(containerId), timeout, answer));
  }

  @Override
  public boolean runs(String containerId) throws ContainerRuntimeException, InterruptedException {
    return call(
        "ContainerStatus",
        CALL,
        answer -> {
          ContainerInstance found = runtime.find(containerId);
          answer.complete(found != null && found.running());
        });
  }

  @Override
  public ContainerEvidence evidence(String containerId)
      throws ContainerRuntimeException, InterruptedException {
    return call(
        "ContainerStatus",
        CALL,
        answer -> {
          ContainerInstance found = runtime.find(containerId);
          answer.complete(
              found == null || !found.running()
                  ? ContainerEvidence.NONE
                  : found.evidence(world.now()));
        });
  }

  @Override
  public ExecResult hook(String containerId, List<String> command, Duration within)
      throws ContainerRuntimeException, InterruptedException {
    return call(
        "ExecSync",
        within.plus(CALL),
        answer -> runtime.exec(runtime.find(containerId), within, answer));
  }

  @Override
  public void stop(String containerId, Duration grace)
      throws ContainerRuntimeException, InterruptedException {
    this.<Void>call(
        "StopContainer",
        grace.plus(LEEWAY),
        answer -> runtime.stop(process.name(), runtime.find(containerId), grace, answer));
    wake.complete(null);
  }

  @Override
  public void close() {
    closed = true;
    runtime.unwatch(event);
    Thread running = watch;
    if (running != null) {
      running.interrupt();
    }
  }
}
