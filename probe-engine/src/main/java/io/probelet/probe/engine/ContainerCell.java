package io.probelet.probe.engine;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.engine.ProbeTurns.PodTurns;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One container on its loop: what was seen of it, its workers, and whether it is started and ready.
 */
final class ContainerCell {
  /** A container older than this when the agent started was probed by an earlier life (W-3.4). */
  private static final Duration ADOPTION_AGE = Duration.ofSeconds(10);

  private static final ContainerObservation UNSEEN = ContainerObservation.waiting("", 0, "");

  private final ProbedPod pod;
  private final ContainerSpec spec;
  private final LoopContext context;
  private final PodTurns turns;
  private final Instant agentStart;
  private final Map<ProbeKind, WorkerRunner> workers = new EnumMap<>(ProbeKind.class);

  private @Nullable PodObservation seen;
  private ContainerObservation observation = UNSEEN;
  private long runningSinceNanos;
  private boolean adopted;
  private @Nullable ContainerStatus status;
  private boolean removed;

  ContainerCell(
      ProbedPod pod, ContainerSpec spec, LoopContext context, PodTurns turns, Instant agentStart) {
    this.pod = pod;
    this.spec = spec;
    this.context = context;
    this.turns = turns;
    this.agentStart = agentStart;
  }

  /** Starts the workers: startup, readiness, liveness, as the kubelet does. */
  void start() {
    for (ProbeKind kind : ProbeKind.values()) {
      ProbeSpec probe = spec.probes().get(kind);
      if (probe != null) {
        workers.put(
            kind,
            new WorkerRunner(
                new ProbeSubject(pod.ref(), spec.name(), kind),
                probe,
                new ProbeWorker(kind, probe, spec, pod.restartPolicy()),
                this,
                context,
                turns));
      }
    }
    List.copyOf(workers.values()).forEach(WorkerRunner::start);
  }

  /** {@return the workers, as they are now} */
  Collection<WorkerRunner> workers() {
    return workers.values();
  }

  /** Ends all workers; nothing is said of the container any more. */
  void remove() {
    removed = true;
    stop(List.of(ProbeKind.values()));
  }

  /** Stops the workers of the given kinds. */
  void stop(Collection<ProbeKind> kinds) {
    for (ProbeKind kind : kinds) {
      WorkerRunner worker = workers.get(kind);
      if (worker != null) {
        worker.stop();
      }
    }
  }

  /** Takes what the runtime sees of the pod; null when it sees the pod no more. */
  void observe(@Nullable PodObservation podSeen) {
    ContainerObservation now =
        podSeen == null ? UNSEEN : podSeen.containers().getOrDefault(spec.name(), UNSEEN);
    Instant startedAt = now.startedAt();
    if (now.running()
        && startedAt != null
        && !(observation.running() && observation.id().equals(now.id()))) {
      Duration age = Duration.between(startedAt, context.loop().time().wallTime());
      runningSinceNanos = context.loop().time().nanoTime() - (age.isNegative() ? 0 : age.toNanos());
      adopted = startedAt.isBefore(agentStart.minus(ADOPTION_AGE));
    }
    seen = podSeen;
    observation = now;
    refresh();
  }

  /** A worker published something new: started and ready may follow from it. */
  void resultChanged() {
    refresh();
  }

  /**
   * A worker published a failure, of this instance or of one that is gone since its probe began.
   */
  void failed(WorkerRunner worker, String containerId) {
    ProbeKind kind = worker.subject().kind();
    boolean runs = observation.running() && observation.id().equals(containerId);
    if (runs && kind.restartsContainer()) { // D-1
      Duration own = worker.spec().terminationGracePeriod();
      RestartPolicy policy =
          spec.restartPolicy() != null ? spec.restartPolicy() : pod.restartPolicy();
      RestartDecision decision =
          context
              .gate()
              .worded(
                  new RestartDecision(
                      worker.subject(),
                      containerId,
                      own != null ? own : pod.terminationGracePeriod(),
                      ProbeEvent.killing(
                          kind, spec, !spec.sidecar() && policy != RestartPolicy.NEVER),
                      worker.message()));
      if (context.gate().lets(decision)) {
        context.listener().restartDecided(decision);
      } else {
        worker.startOver();
      }
    }
  }

  void workerEnded(WorkerRunner worker) {
    workers.remove(worker.subject().kind(), worker);
    refresh();
  }

  Sighting sighting() {
    Duration runFor =
        observation.running()
            ? Duration.ofNanos(context.loop().time().nanoTime() - runningSinceNanos)
            : Duration.ZERO;
    return new Sighting(seen, started(), runFor, adopted);
  }

  ProbeTarget target() {
    return new ProbeTarget(
        pod.ref(),
        spec,
        observation.id(),
        seen == null ? "" : seen.primaryIp(),
        turns::chargeFurther);
  }

  ContainerSnapshot snapshot(int outcomes) {
    return new ContainerSnapshot(
        currentStatus(),
        workers.values().stream().map(worker -> worker.snapshot(outcomes)).toList());
  }

  /** W-8. */
  private boolean started() {
    if (!observation.running()) {
      return false;
    }
    Optional<ProbeResult> startup = context.results().get(observation.id(), ProbeKind.STARTUP);
    if (startup.isPresent()) {
      return startup.get() == ProbeResult.SUCCESS;
    }
    return !workers.containsKey(ProbeKind.STARTUP) || (adopted && observation.startedBefore());
  }

  /** W-9. */
  private boolean ready() {
    if (!started()) {
      return false;
    }
    Optional<ProbeResult> readiness = context.results().get(observation.id(), ProbeKind.READINESS);
    if (readiness.isPresent()) {
      return readiness.get() == ProbeResult.SUCCESS;
    }
    return !workers.containsKey(ProbeKind.READINESS)
        || (adopted && observation.readyBefore() && seen != null && seen.ready());
  }

  private ContainerStatus currentStatus() {
    return new ContainerStatus(pod.ref(), spec.name(), observation, started(), ready());
  }

  private void refresh() {
    if (removed) {
      return;
    }
    ContainerStatus before = status;
    ContainerStatus now = currentStatus();
    if (now.equals(before)) {
      return;
    }
    status = now;
    context.listener().containerChanged(now);
    boolean startedNow =
        now.started()
            && (before == null
                || !before.started()
                || !before.observation().id().equals(now.observation().id()));
    WorkerRunner readiness = workers.get(ProbeKind.READINESS);
    // An adopted container has its turn with all others, spread over the period (W-1).
    if (startedNow && !now.ready() && !adopted && readiness != null) {
      readiness.nudge();
    }
  }
}
