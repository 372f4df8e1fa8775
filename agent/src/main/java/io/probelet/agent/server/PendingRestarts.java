package io.probelet.agent.server;

import io.probelet.health.Threads;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ContainerStopper;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.PodObservation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Restarts that a client has to carry out. Each is pending until the client reports that the
 * instance no longer runs, or removes the pod (PS-5: an event that is lost must not lose a
 * restart). Meanwhile the engine announces it again after each delay of its own. Safe for use by
 * several threads.
 */
final class PendingRestarts implements ContainerStopper {
  private final EventBuffer events;
  private final Threads threads;
  private final Function<PodRef, Optional<PodObservation>> reported;
  private final Map<String, Pending> pending = new LinkedHashMap<>();

  private static final class Pending {
    private final RestartDecision decision;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private int attempts;

    Pending(RestartDecision decision) {
      this.decision = decision;
    }

    PodRef pod() {
      return decision.subject().pod();
    }
  }

  /**
   * Creates an empty list.
   *
   * @param reported what a client last reported of a pod; known before {@link #observed}
   */
  PendingRestarts(
      EventBuffer events, Threads threads, Function<PodRef, Optional<PodObservation>> reported) {
    this.events = events;
    this.threads = threads;
    this.reported = reported;
  }

  @Override
  public void stop(RestartDecision decision)
      throws ContainerRuntimeException, InterruptedException {
    Pending restart;
    synchronized (this) {
      if (isOver(decision, reported.apply(decision.subject().pod()).orElse(null))) {
        return; // reported while the decision was on its way
      }
      restart = pending.computeIfAbsent(decision.containerId(), _ -> new Pending(decision));
      restart.attempts++;
      events.add(ServedEvent.restart(decision, restart.attempts));
    }
    try {
      threads.get(restart.done, Threads.LONGEST); // the engine interrupts and tries again
    } catch (ExecutionException | TimeoutException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Ends the restarts of instances that are not running any more. */
  synchronized void observed(PodObservation pod) {
    end(pod.pod(), restart -> isOver(restart.decision, pod));
  }

  private static boolean isOver(RestartDecision decision, @Nullable PodObservation pod) {
    ContainerObservation now =
        pod == null ? null : pod.containers().get(decision.subject().container());
    return now == null || !now.running() || !now.id().equals(decision.containerId());
  }

  /** Ends the restarts of a pod. */
  synchronized void removed(PodRef pod) {
    end(pod, _ -> true);
  }

  private void end(PodRef pod, Predicate<Pending> over) {
    pending
        .values()
        .removeIf(restart -> {
          boolean ends = restart.pod().equals(pod) && over.test(restart);
          return ends && restart.done.complete(null);
        });
  }

  /** {@return the restarts that are pending, the oldest first} */
  synchronized List<ServedEvent> all() {
    return pending.values().stream()
        .map(restart -> ServedEvent.restart(restart.decision, restart.attempts))
        .toList();
  }

  synchronized int size() {
    return pending.size();
  }
}
