package io.probelet.probe.engine;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.RedirectBudget;
import io.probelet.probe.engine.ContainerRules.ContainerState;
import io.probelet.probe.engine.ContainerRules.ProbeStatus;
import io.probelet.probe.engine.ProbeTurns.PodTurns;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * One container on its loop: feeds observations and outcomes to the {@link ContainerRules}, and
 * runs their decisions with its workers. It has no rules itself.
 */
final class ProbedContainer {
  private final ProbedPod pod;
  private final ContainerSpec spec;
  private final ContainerRules rules;
  private final LoopContext context;
  private final PodTurns turns;
  private final StatisticsBudget.PodShare statistics;
  private final RedirectBudget further;
  private final Map<ProbeKind, WorkerRunner> workers = new EnumMap<>(ProbeKind.class);
  private final Set<ProbeKind> stopped = EnumSet.noneOf(ProbeKind.class);

  private ContainerState state = ContainerState.NEW;

  /** What listeners were notified of last. */
  private @Nullable ContainerStatus status;

  private boolean begun;
  private boolean removed;

  ProbedContainer(
      ProbedPod pod,
      ContainerSpec spec,
      LoopContext context,
      PodTurns turns,
      StatisticsBudget.PodShare statistics) {
    this.pod = pod;
    this.spec = spec;
    this.rules = new ContainerRules(pod, spec, context.agentStartNanos());
    this.context = context;
    this.turns = turns;
    this.statistics = statistics;
    this.further = turns::chargeFurther; // one for all probes
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

  /** Ends all workers; the container is no longer reported. */
  void remove() {
    removed = true;
    stop(List.of(ProbeKind.values()));
  }

  /** Stops the workers of the given kinds, for good. */
  void stop(Collection<ProbeKind> kinds) {
    stopped.addAll(kinds);
    for (ProbeKind kind : kinds) {
      WorkerRunner worker = workers.get(kind);
      if (worker != null) {
        worker.stop();
      }
    }
  }

  /** Takes the runtime's observation of the pod; null if the runtime no longer reports it. */
  void observe(@Nullable PodObservation seen) {
    ContainerObservation observation = rules.observationIn(seen);
    boolean remembered =
        ContainerRules.startsAnew(state, observation)
            && context.startups().started(pod.ref(), spec.name(), observation.id());
    state =
        rules.observed(
            state,
            seen,
            context.loop().time().nanoTime(),
            context.loop().time().wallTime(),
            remembered);
    if (begun && ContainerRules.wantsWorkers(state)) {
      start();
    }
    announce();
    podChanged();
  }

  /** Something of the pod is different now. */
  void podChanged() {
    WorkerRunner readiness = workers.get(ProbeKind.READINESS);
    if (readiness != null && ContainerRules.probesChangedAtOnce(status, readiness.begun())) {
      readiness.probeNow();
    }
  }

  /** A startup probe succeeded. */
  void startupSucceeded(String containerId) {
    state = state.startupSucceeded(containerId);
  }

  /** A worker published something new: started and ready may follow from it. */
  void resultChanged() {
    announce();
  }

  /** A worker published a failure of an instance, which may be gone since its probe began. */
  void failed(WorkerRunner worker, String containerId) {
    decision(worker, containerId)
        .ifPresent(decision -> {
          CompletableFuture<Boolean> answer = context.gate().ask(decision);
          if (answer.isDone()) {
            answered(worker, decision, allows(answer));
          } else {
            var unused =
                answer.whenComplete((result, failure) ->
                    context
                        .loop()
                        .execute(() -> answeredLater(worker, containerId, allows(answer))));
          }
        });
  }

  private Optional<RestartDecision> decision(WorkerRunner worker, String containerId) {
    return rules
        .failed(state, worker.subject(), worker.spec(), target(), containerId, worker.message())
        .map(context.gate()::worded);
  }

  /** A gate that cannot answer holds nothing. */
  private static boolean allows(CompletableFuture<Boolean> answer) {
    return answer.isCompletedExceptionally() || answer.join();
  }

  /** Since the gate was asked, the instance, worker or pod may have ended. */
  private void answeredLater(WorkerRunner worker, String containerId, boolean lets) {
    if (worker.equals(workers.get(worker.subject().kind()))) {
      decision(worker, containerId).ifPresent(decision -> answered(worker, decision, lets));
    }
  }

  private void answered(WorkerRunner worker, RestartDecision decision, boolean lets) {
    if (lets) {
      context.listener().restartDecided(decision);
    } else {
      worker.kept();
    }
  }

  void workerEnded(WorkerRunner worker) {
    workers.remove(worker.subject().kind(), worker);
    announce();
  }

  /** {@return what is remembered of it} */
  ContainerState state() {
    return state;
  }

  /** {@return whether it has started (W-8)} */
  boolean started() {
    return ContainerRules.started(state, probeStatus());
  }

  /**
   * {@return whether the first success of a probe means that the container has started: of the
   * startup probe, or of the readiness probe where there is none}
   */
  boolean tellsStart(ProbeKind kind) {
    return kind == ProbeKind.STARTUP
        || (kind == ProbeKind.READINESS && !spec.probes().containsKey(ProbeKind.STARTUP));
  }

  /** {@return the memory for statistics that its pod may take} */
  StatisticsBudget.PodShare statistics() {
    return statistics;
  }

  /**
   * {@return how long the instance has been running, in nanoseconds; {@link
   * StatisticsRecorder#NOT_SEEN} if an earlier life of the agent saw its start}
   */
  long ranFor(long now) {
    return state.adopted() || !state.observation().running()
        ? StatisticsRecorder.NOT_SEEN
        : now - state.runningSince();
  }

  ProbeTarget target() {
    PodObservation seen = state.pod();
    return new ProbeTarget(
        pod.ref(), spec, state.observation().id(), seen == null ? "" : seen.primaryIp(), further);
  }

  boolean is(BiPredicate<PodRef, String> wanted) {
    return wanted.test(pod.ref(), spec.name());
  }

  ContainerSnapshot snapshot(HistoryQuery wanted) {
    return new ContainerSnapshot(
        rules.status(state, probeStatus()),
        rules.restarts(),
        workers.values().stream().map(worker -> worker.snapshot(wanted)).toList(),
        target());
  }

  private ProbeStatus probeStatus() {
    return new ProbeStatus(
        workers.containsKey(ProbeKind.STARTUP),
        result(ProbeKind.STARTUP),
        workers.containsKey(ProbeKind.READINESS),
        result(ProbeKind.READINESS));
  }

  private @Nullable ProbeResult result(ProbeKind kind) {
    return context.results().get(state.observation().id(), kind);
  }

  private void announce() {
    ContainerStatus before = status;
    ContainerStatus now = rules.status(state, probeStatus());
    if (removed || now.equals(before)) {
      return;
    }
    status = now;
    context.listener().containerChanged(before, now);
    WorkerRunner readiness = workers.get(ProbeKind.READINESS);
    if (readiness != null && ContainerRules.probesStartedAtOnce(state, before, now)) {
      readiness.probeNow();
    }
  }
}
