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
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One container on its loop: what was seen of it, its workers, and whether it is started and ready.
 */
final class ContainerCell {
  /** A container older than this when the agent started was probed by an earlier life (W-3.4). */
  private static final Duration ADOPTION_AGE = Duration.ofSeconds(10);

  /** A container that starts this far in the future started before the clock was set back. */
  private static final Duration CLOCK_SET_BACK = Duration.ofSeconds(1);

  private static final ContainerObservation UNSEEN = ContainerObservation.waiting("", 0, "");

  private final ProbedPod pod;
  private final ContainerSpec spec;
  private final LoopContext context;
  private final PodTurns turns;
  private final Map<ProbeKind, WorkerRunner> workers = new EnumMap<>(ProbeKind.class);
  private final Set<ProbeKind> stopped = EnumSet.noneOf(ProbeKind.class);

  private @Nullable PodObservation seen;
  private ContainerObservation observation = UNSEEN;
  private long runningSinceNanos;
  private boolean adopted;

  /** The instance whose startup probe has succeeded, in this life of the agent or before. */
  private String startedId = "";

  private @Nullable ContainerStatus status;
  private boolean begun;
  private boolean removed;

  ContainerCell(ProbedPod pod, ContainerSpec spec, LoopContext context, PodTurns turns) {
    this.pod = pod;
    this.spec = spec;
    this.context = context;
    this.turns = turns;
  }

  /** Starts the workers: startup, readiness, liveness, as the kubelet does. */
  void start() {
    begun = true;
    List<WorkerRunner> missing = new ArrayList<>();
    for (ProbeKind kind : ProbeKind.values()) {
      ProbeSpec probe = spec.probes().get(kind);
      if (probe != null && !workers.containsKey(kind) && !stopped.contains(kind)) {
        WorkerRunner worker =
            new WorkerRunner(
                new ProbeSubject(pod.ref(), spec.name(), kind),
                probe,
                new ProbeWorker(kind, probe, spec, pod.restartPolicy()),
                this,
                context,
                turns);
        workers.put(kind, worker);
        missing.add(worker);
      }
    }
    missing.forEach(WorkerRunner::start);
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
    stopped.addAll(kinds);
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
      runsAnew(now.id(), startedAt);
    }
    seen = podSeen;
    observation = now;
    if (begun
        && now.running()
        && podSeen != null
        && !podSeen.deleting()
        && !podSeen.phase().terminal()) {
      start(); // W-3.2: workers may have ended because the pod was said to be over
    }
    refresh();
    podChanged();
  }

  /** An instance is seen running for the first time, or again. */
  private void runsAnew(String id, Instant startedAt) {
    long now = context.loop().time().nanoTime();
    Duration age = Duration.between(startedAt, context.loop().time().wallTime());
    runningSinceNanos = now - (age.isNegative() ? 0 : age.toNanos());
    boolean remembered = context.startups().started(pod.ref(), spec.name(), id);
    if (remembered) {
      startedId = id;
    }
    adopted = remembered || startedBeforeAgent(id, age, now);
  }

  /**
   * W-3.4. Ages are compared, not wall times, for the clock may have been set back since the agent
   * started.
   */
  private boolean startedBeforeAgent(String id, Duration age, long now) {
    boolean successor = !observation.id().isEmpty() && !observation.id().equals(id);
    if (successor) {
      return false;
    }
    if (age.compareTo(CLOCK_SET_BACK.negated()) < 0) {
      return now - context.agentStartNanos() < ADOPTION_AGE.toNanos();
    }
    return context.agentStartNanos() - runningSinceNanos > ADOPTION_AGE.toNanos();
  }

  /**
   * Something of the pod is different now. A container that is not ready is probed at once, as the
   * kubelet does (W-9); one that has not been probed yet keeps its turn (W-1).
   */
  void podChanged() {
    ContainerStatus now = status;
    WorkerRunner readiness = workers.get(ProbeKind.READINESS);
    if (now != null && now.started() && !now.ready() && readiness != null && readiness.begun()) {
      readiness.nudge();
    }
  }

  /** A startup probe succeeded. */
  void startupSucceeded(String containerId) {
    startedId = containerId;
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
                      target(),
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
    Optional<ProbeResult> startup = result(ProbeKind.STARTUP);
    if (startup.isPresent()) {
      return startup.get() == ProbeResult.SUCCESS;
    }
    return !workers.containsKey(ProbeKind.STARTUP) || hasStarted();
  }

  /** Whether a startup probe said so: ours, now or earlier, or the kubelet's own. */
  private boolean hasStarted() {
    return startedId.equals(observation.id()) || (adopted && observation.startedBefore());
  }

  /** W-9. A worker that ended, with its pod or for another reason, makes nothing ready. */
  private boolean ready() {
    if (!observation.running()
        || result(ProbeKind.STARTUP).filter(is -> is != ProbeResult.SUCCESS).isPresent()) {
      return false;
    }
    if (!spec.probes().containsKey(ProbeKind.READINESS)) {
      return !spec.probes().containsKey(ProbeKind.STARTUP) || hasStarted() || readyBefore();
    }
    Optional<ProbeResult> readiness = result(ProbeKind.READINESS);
    return readiness.isPresent()
        ? readiness.get() == ProbeResult.SUCCESS
        : workers.containsKey(ProbeKind.READINESS) && readyBefore();
  }

  /** Ready in an earlier life of the agent, and nothing has been decided in this one. */
  private boolean readyBefore() {
    return adopted && observation.readyBefore() && seen != null && seen.ready();
  }

  private Optional<ProbeResult> result(ProbeKind kind) {
    return context.results().get(observation.id(), kind);
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
