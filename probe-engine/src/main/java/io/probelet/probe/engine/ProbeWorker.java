package io.probelet.probe.engine;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ContainerRules.ContainerState;
import io.probelet.probe.engine.ProbeSnapshot.Obstacle;
import io.probelet.probe.engine.ProbeWorker.Effect.Drop;
import io.probelet.probe.engine.ProbeWorker.Effect.Publish;
import io.probelet.probe.engine.ProbeWorker.Effect.Started;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerObservation.State;
import io.probelet.probe.runtime.PodObservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which one probe of one container decides: pure functions from (state, input) to
 * (state, effects). Time and input arrive as arguments; nothing is carried out here.
 */
final class ProbeWorker {
  private final ProbeKind kind;
  private final ProbeSpec spec;
  private final ContainerSpec container;
  private final RestartPolicy podPolicy;

  ProbeWorker(ProbeKind kind, ProbeSpec spec, ContainerSpec container, RestartPolicy podPolicy) {
    this.kind = kind;
    this.spec = spec;
    this.container = container;
    this.podPolicy = podPolicy;
  }

  /** The result of a rule: the worker's new state, and its actions in order. */
  record Step(WorkerState state, List<Effect> effects) {}

  /**
   * The result of a finished probe.
   *
   * @param step the worker's new state and its actions
   * @param consecutive how many equal outcomes in a row there have been, this one included; 0 for a
   *     prober error
   * @param threshold how many of them decide
   */
  record Outcome(Step step, int consecutive, int threshold) {}

  /**
   * Decides what to do at a tick: to probe, unless a rule prevents it (W-3).
   *
   * @param seen what is known of the container
   * @param started whether the container has started (W-8)
   * @param now the time of the monotonic clock, in nanoseconds
   */
  Step tick(WorkerState state, ContainerState seen, boolean started, long now) {
    PodObservation pod = seen.pod();
    if (pod != null && pod.phase().terminal()) { // W-3.2: the pod has ended
      return new Step(state, List.of(Effect.END));
    }
    ContainerObservation observed = instance(pod);
    if (observed == null) {
      return idle(state);
    }
    String id = observed.id();
    boolean known = id.equals(state.containerId());
    List<Effect> before = known ? List.of() : replaced(state, seen.adopted(), started, id);
    WorkerState current = known ? state : instance(id, seen.adopted());
    return switch (obstacle(state, seen, started, now)) {
      case NOT_RUNNING -> {
        List<Effect> effects = with(before, new Publish(id, ProbeResult.FAILURE, false));
        boolean over =
            observed.state() == State.TERMINATED
                && !container.restartsAfter(observed.exitCode(), podPolicy);
        yield new Step(current, over ? with(effects, Effect.END) : effects);
      }
      case POD_ENDING ->
          new Step(
              current, with(with(before, new Publish(id, ProbeResult.SUCCESS, false)), Effect.END));
      case NONE -> new Step(current, with(before, Effect.PROBE));
      default -> new Step(current, before);
    };
  }

  /** W-23: what an earlier agent left ready counts as such. */
  private WorkerState instance(String id, boolean adopted) {
    WorkerState state = WorkerState.of(id);
    return adopted && recovers() ? state.with(Recovery.READY) : state;
  }

  private boolean recovers() {
    return !spec.recoveryTime().isZero();
  }

  /** W-3.4: a new instance starts from the initial result, unless it was adopted. */
  private List<Effect> replaced(WorkerState state, boolean adopted, boolean started, String id) {
    List<Effect> replaced = new ArrayList<>(3);
    if (!state.containerId().isEmpty()) {
      replaced.add(new Drop(state.containerId()));
    }
    if (!adopted) {
      replaced.add(new Publish(id, kind.initialResult(), true));
    } else if (kind == ProbeKind.STARTUP && container.sidecar() && started) {
      replaced.add(new Publish(id, ProbeResult.SUCCESS, true));
    }
    return replaced;
  }

  /** {@return what would keep it from probing if it ticked now, the first that holds (W-3)} */
  Obstacle obstacle(WorkerState state, ContainerState seen, boolean started, long now) {
    PodObservation pod = seen.pod();
    if (pod == null) { // W-3.1: not created yet, or gone already
      return Obstacle.NO_INSTANCE;
    }
    if (pod.phase().terminal()) { // W-3.2: the pod has ended
      return Obstacle.POD_ENDING;
    }
    ContainerObservation observed = instance(pod);
    if (observed == null) { // W-3.3: nothing to probe yet
      return Obstacle.NO_INSTANCE;
    }
    if (observed.id().equals(state.containerId()) && state.onHold()) {
      return Obstacle.DECIDED; // W-3.5: what follows comes with the next instance
    }
    if (!observed.running()) { // W-3.6: what does not run fails unasked
      return Obstacle.NOT_RUNNING;
    }
    if (pod.deleting() && kind.restartsContainer()) { // W-3.7: nothing restarts on its way out
      return Obstacle.POD_ENDING;
    }
    if (seen.runFor(now).compareTo(spec.initialDelay()) < 0) { // W-3.8: too early
      return Obstacle.INITIAL_DELAY;
    }
    if (started == (kind == ProbeKind.STARTUP)) { // W-3.9: startup first, the others after
      return started ? Obstacle.STARTED : Obstacle.NOT_STARTED;
    }
    return Obstacle.NONE; // W-3.10: nothing is in the way
  }

  private @Nullable ContainerObservation instance(@Nullable PodObservation pod) {
    ContainerObservation observed = pod == null ? null : pod.containers().get(container.name());
    return observed == null || observed.id().isEmpty() ? null : observed;
  }

  /**
   * Decides what a finished probe means: it is counted, and enough in a row are published.
   *
   * @param now the time of the monotonic clock, in nanoseconds
   */
  Outcome outcome(WorkerState state, Verdict verdict, long now) {
    ProbeResult result = verdict.healthy() ? ProbeResult.SUCCESS : ProbeResult.FAILURE;
    int threshold = spec.threshold(result);
    if (verdict
        instanceof Verdict.ProberError) { // W-4: a prober error says nothing about the container
      return new Outcome(idle(state), 0, threshold);
    }
    WorkerState counted = state.counting(result);
    if (recovers()) {
      counted = counted.with(state.recovery().after(result, counted.run() == 1, now));
    }
    return new Outcome(
        counted.run() < threshold // W-5: too few in a row to decide
                || (result == ProbeResult.SUCCESS && recovering(counted, now))
            ? idle(counted)
            : decided(counted, result),
        counted.run(),
        threshold);
  }

  /** W-23: it was ready, has failed, and has not succeeded for long enough. */
  private boolean recovering(WorkerState state, long now) {
    return recovers() && state.recovery().remaining(spec.recoveryTime(), now).isPositive();
  }

  /**
   * {@return how long it must succeed still, if it does so now; zero where that decides nothing}
   */
  Duration recovery(WorkerState state, long now) {
    return state.last() == ProbeResult.SUCCESS && recovering(state, now)
        ? state.recovery().remaining(spec.recoveryTime(), now)
        : Duration.ZERO;
  }

  private Step decided(WorkerState counted, ProbeResult result) {
    String id = counted.containerId();
    Publish publish = new Publish(id, result, false);
    if (kind == ProbeKind.STARTUP) { // W-6: a startup probe has done its work
      return new Step(
          counted.held(),
          result == ProbeResult.SUCCESS ? List.of(new Started(id), publish) : List.of(publish));
    }
    boolean stops = kind == ProbeKind.LIVENESS && result == ProbeResult.FAILURE;
    WorkerState after = recovers() ? counted.with(counted.recovery().decided(result)) : counted;
    return new Step(
        stops ? after.held() : after, // W-6: the instance is as good as gone
        List.of(publish));
  }

  /**
   * The instance is kept although a failure was decided. Its result stays, so that nobody takes it
   * for healthy. The next failure decides again, so that a hold ends when it should; a success is
   * its recovery.
   */
  Step kept(WorkerState state) {
    return new Step(
        new WorkerState(
            state.containerId(),
            false,
            ProbeResult.FAILURE,
            spec.failureThreshold() - 1,
            state.recovery()),
        List.of());
  }

  /** {@return the time between two ticks} */
  Duration interval(WorkerState state) {
    return spec.period(state.last());
  }

  private static Step idle(WorkerState state) {
    return new Step(state, List.of());
  }

  private static List<Effect> with(List<Effect> before, Effect last) {
    if (before.isEmpty()) {
      return List.of(last);
    }
    List<Effect> all = new ArrayList<>(before);
    all.add(last);
    return all;
  }

  /**
   * What a worker remembers between ticks.
   *
   * @param containerId the container it last saw, empty before the first
   * @param onHold whether it waits for another container (W-6)
   * @param last the last outcome, null before the first on this container
   * @param run how many times in a row {@code last} came
   * @param recovery whether it was ready and has failed
   */
  record WorkerState(
      String containerId, boolean onHold, @Nullable ProbeResult last, int run, Recovery recovery) {
    static final WorkerState NEW = of("");

    static WorkerState of(String containerId) {
      return new WorkerState(containerId, false, null, 0, Recovery.STARTING);
    }

    WorkerState held() {
      return new WorkerState(containerId, true, last, 0, recovery);
    }

    /** {@return the same with another number of equal outcomes in a row} */
    WorkerState running(int times) {
      return times == run ? this : new WorkerState(containerId, onHold, last, times, recovery);
    }

    WorkerState with(Recovery next) {
      return next.equals(recovery) ? this : new WorkerState(containerId, onHold, last, run, next);
    }

    /** Compared by hand: what a record has for it, C1 calls through method handles. */
    boolean sameButForRun(WorkerState other) {
      return onHold == other.onHold
          && last == other.last
          && recovery.phase() == other.recovery.phase()
          && recovery.since() == other.recovery.since()
          && containerId.equals(other.containerId);
    }

    WorkerState counting(ProbeResult outcome) {
      return new WorkerState(containerId, onHold, outcome, outcome == last ? run + 1 : 1, recovery);
    }
  }

  /** What a worker wants done after a tick or an outcome. */
  sealed interface Effect {
    /** Forget the result of a container that has been replaced. */
    record Drop(String containerId) implements Effect {}

    /** Make a result known; {@code initial} when no probe decided it. */
    record Publish(String containerId, ProbeResult result, boolean initial) implements Effect {}

    /** Remember that the startup probe of an instance has succeeded. */
    record Started(String containerId) implements Effect {}

    /** Carry out the probe. */
    record Probe() implements Effect {}

    /** End the worker. */
    record End() implements Effect {}

    /** The one instance. */
    Effect PROBE = new Probe();

    /** The one instance. */
    Effect END = new End();
  }
}
