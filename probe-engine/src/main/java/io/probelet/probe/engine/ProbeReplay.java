package io.probelet.probe.engine;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ContainerRules.ContainerState;
import io.probelet.probe.engine.ProbeWorker.Effect;
import io.probelet.probe.engine.ProbeWorker.WorkerState;
import io.probelet.probe.latency.OutcomeRun;
import io.probelet.probe.latency.OutcomeRun.Result;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Replays stored outcomes with other settings, through the rules by which a probe decides. Time is
 * virtual: nothing is probed, and no clock is read.
 */
public final class ProbeReplay {
  private static final PodRef POD = new PodRef("replay", "replay", "replay");
  private static final String CONTAINER = "replay";
  private static final Verdict.Success SUCCESS = new Verdict.Success("");
  private static final Verdict.Failure FAILURE = new Verdict.Failure("");

  private final ProbeKind kind;
  private final ProbeSpec spec;
  private final ProbeWorker rules;

  /**
   * Prepares to replay.
   *
   * @param kind which probe
   * @param spec the settings to try
   */
  public ProbeReplay(ProbeKind kind, ProbeSpec spec) {
    this.kind = kind;
    this.spec = spec;
    this.rules =
        new ProbeWorker(
            kind,
            spec,
            new ContainerSpec(
                CONTAINER, false, null, List.of(), Map.of(), Map.of(), Map.of(kind, spec)),
            RestartPolicy.ALWAYS);
  }

  /**
   * Finds out when the probe would have published a failure: for liveness and startup probes the
   * moment of a restart.
   *
   * @param runs the stored outcomes, oldest first
   * @param recorded the period with which they were recorded; with a shorter one, a failure gives
   *     as many more outcomes as fit into its time
   * @param timeoutsSucceed whether a probe that timed out counts as a success, as with a timeout
   *     that is long enough
   * @return wall times of the failures, to the second
   */
  public List<Instant> failures(List<OutcomeRun> runs, Duration recorded, boolean timeoutsSucceed) {
    List<Instant> failures = new ArrayList<>();
    WorkerState state = WorkerState.NEW;
    int instance = 0;
    for (OutcomeRun run : runs) {
      if (run.newInstance()) {
        instance++;
      }
      boolean succeeds =
          run.result() == Result.SUCCESS || (run.result() == Result.TIMEOUT && timeoutsSucceed);
      double all = count(run, succeeds, recorded);
      double apart = Duration.between(run.first(), run.last()).toMillis() / all;
      // More in a row than the threshold change nothing.
      double count =
          Math.min(all, spec.threshold(succeeds ? ProbeResult.SUCCESS : ProbeResult.FAILURE) + 1.0);
      for (int i = 0; i < count; i++) {
        ProbeWorker.Step step = tick(state, instance);
        state = step.state();
        if (!step.effects().contains(Effect.PROBE)) {
          break; // it has decided of this instance, and waits for the next
        }
        Instant at = run.first().plusMillis((long) (apart * i));
        step = rules.outcome(state, succeeds ? SUCCESS : FAILURE, nanos(at)).step();
        state = step.state();
        if (!succeeds && isFailure(step) && !isKnown(i, failures, run)) {
          failures.add(at);
        }
      }
    }
    return failures;
  }

  private static long nanos(Instant at) {
    return TimeUnit.MILLISECONDS.toNanos(at.toEpochMilli());
  }

  /** A readiness probe publishes each further failure of a run anew; that is the same failure. */
  private boolean isKnown(int outcome, List<Instant> failures, OutcomeRun run) {
    return !kind.restartsContainer()
        && outcome > 0
        && !failures.isEmpty()
        && !failures.getLast().isBefore(run.first());
  }

  private double count(OutcomeRun run, boolean succeeds, Duration recorded) {
    if (succeeds) {
      return run.count();
    }
    double nanos = spec.period(ProbeResult.FAILURE).toNanos();
    return Math.max(1, Math.ceil(recorded.toNanos() * (double) run.count() / nanos));
  }

  private ProbeWorker.Step tick(WorkerState state, int instance) {
    ContainerObservation running =
        ContainerObservation.running("instance-" + instance, Instant.EPOCH, instance);
    PodObservation pod =
        new PodObservation(
            POD, PodObservation.Phase.RUNNING, false, false, List.of(), Map.of(CONTAINER, running));
    long now = spec.initialDelay().toNanos(); // a stored outcome came after the delay
    return rules.tick(
        state, new ContainerState(pod, running, 0, false, ""), kind != ProbeKind.STARTUP, now);
  }

  private static boolean isFailure(ProbeWorker.Step step) {
    return step.effects().stream()
        .anyMatch(effect ->
            effect instanceof Effect.Publish publish
                && publish.result() == ProbeResult.FAILURE
                && !publish.initial());
  }

  /**
   * {@return how long a hang lasts at most until the probe has published it: it begins right after
   * a success, and each probe takes the whole timeout}
   */
  public Duration hangTime() {
    WorkerState state = tick(WorkerState.NEW, 0).state();
    state = rules.outcome(state, SUCCESS, 0).step().state();
    Duration tick = rules.interval(state);
    while (true) {
      Duration end = tick.plus(spec.timeout());
      ProbeWorker.Step step = rules.outcome(state, FAILURE, 0).step();
      if (isFailure(step)) {
        return end;
      }
      Duration before = rules.interval(state);
      state = step.state();
      Duration interval = rules.interval(state);
      Duration next = (interval.equals(before) ? tick : end).plus(interval);
      tick = next.compareTo(end) < 0 ? end : next; // a missed tick comes right after, W-2
    }
  }
}
