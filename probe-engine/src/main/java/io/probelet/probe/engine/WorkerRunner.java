package io.probelet.probe.engine;

import io.probelet.health.TimeSource;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeListener.Discarded;
import io.probelet.probe.engine.ProbeListener.Probed;
import io.probelet.probe.engine.ProbeListener.Published;
import io.probelet.probe.engine.ProbeTurns.PodTurns;
import io.probelet.probe.engine.ProbeWorker.Effect;
import io.probelet.probe.engine.ProbeWorker.Effect.Drop;
import io.probelet.probe.engine.ProbeWorker.Effect.End;
import io.probelet.probe.engine.ProbeWorker.Effect.Probe;
import io.probelet.probe.engine.ProbeWorker.Effect.Publish;
import io.probelet.probe.engine.ProbeWorker.Effect.Started;
import io.probelet.probe.engine.ProbeWorker.WorkerState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what a {@link ProbeWorker} decides: keeps its ticks, runs its probes, publishes its
 * results. Lives on one loop.
 */
final class WorkerRunner {
  /** Handlers combined into one probe are counted so far; it has far too many by then. */
  private static final int MAX_COUNTED_PARTS = 10_000;

  private final ProbeSubject subject;
  private final ProbeSpec spec;
  private final ProbeWorker rules;
  private final ProbedContainer container;
  private final LoopContext context;
  private final PodTurns turns;
  private final ProbeRun run;
  private final Schedule schedule;
  private final int parts;
  private final ProbeHistory history = new ProbeHistory();
  private final MinuteHistory minutes;
  private final StatisticsRecorder statistics;

  /** Where it stands, but for the run of equal outcomes: that is a number, see {@link #state()}. */
  private WorkerState known = WorkerState.NEW;

  private int equalOutcomes;
  private boolean ended;
  private long roundPlanned;
  private String message = "";
  private long lastLatencyNanos;

  WorkerRunner(
      ProbeSubject subject,
      ProbeSpec spec,
      ProbeWorker rules,
      ProbedContainer container,
      LoopContext context,
      PodTurns turns) {
    this.subject = subject;
    this.spec = spec;
    this.rules = rules;
    this.container = container;
    this.context = context;
    this.turns = turns;
    this.minutes = new MinuteHistory(context.histories());
    this.statistics =
        new StatisticsRecorder(
            container.statistics(),
            context.memory().remembered(subject, spec),
            container.tellsStart(subject.kind()));
    this.schedule = new Schedule(spec, context.loop(), context.random(), this::tick);
    this.parts = spec.handler().parts(MAX_COUNTED_PARTS);
    this.run = new ProbeRun(subject, spec, container, context, this);
  }

  /** Begins to tick: at once, or spread over a period when the agent has just started (W-1). */
  void start() {
    schedule.begin(context.firstTicks().next(time().nanoTime(), spec.period()));
  }

  /**
   * Probes now instead of at the next tick, or as soon as the probe under way has ended; the period
   * starts again from this moment (W-9).
   */
  void probeNow() {
    if (!ended) {
      schedule.atOnce();
    }
  }

  /** {@return whether it has seen an instance of its container at a tick} */
  boolean begun() {
    return !known.containerId().isEmpty();
  }

  /** Ends the worker from outside (W-10). */
  void stop() {
    if (!ended) {
      end();
    }
  }

  private void tick() {
    if (ended) {
      return;
    }
    long planned = schedule.ticked();
    context.pulse().ticked(planned);
    schedule.next(rules.interval(known));
    run.endIfLost();
    if (run.underWay()) { // one tick at most waits for the probe to end, W-2
      schedule.miss(planned);
    } else {
      round(planned);
    }
  }

  private void round(long planned) {
    roundPlanned = planned;
    if (apply(decide(), "")) {
      askForTurn();
    }
  }

  private ProbeWorker.Step decide() {
    return rules.tick(state(), container.state(), container.started(), time().nanoTime());
  }

  /** {@return whether a probe is to be carried out, beside what has been done} */
  private boolean apply(ProbeWorker.Step step, String why) {
    boolean probes = false;
    become(step.state());
    List<Effect> effects = step.effects();
    for (int i = 0; i < effects.size(); i++) { // without the object that an iterator is
      switch (effects.get(i)) {
        case Drop drop -> context.results().remove(drop.containerId(), subject.kind());
        case Publish publish -> publish(publish, why);
        case Started started -> container.startupSucceeded(started.containerId());
        case Probe ignored -> probes = true;
        case End ignored -> end();
      }
    }
    return probes;
  }

  /**
   * {@return the current phase} Made anew each time: thousands of workers that each keep a new
   * object until their next probe are what a pause of the garbage collector is made of
   * (benchmarks/run scale).
   */
  private WorkerState state() {
    return known.running(equalOutcomes);
  }

  private void become(WorkerState state) {
    if (!known.sameButForRun(state)) {
      known = state;
    }
    equalOutcomes = state.run();
  }

  private void publish(Publish publish, String why) {
    if (context.results().set(publish.containerId(), subject.kind(), publish.result())) {
      context
          .listener()
          .published(
              new Published(
                  subject, publish.containerId(), publish.result(), why, publish.initial()));
      container.resultChanged();
    }
    if (publish.result() == ProbeResult.FAILURE) {
      // Even if that stood already: it may have been published before the container ran (W-3.6).
      container.failed(this, publish.containerId());
    }
  }

  /** The container is kept although it was decided to stop it; the next failure decides again. */
  void kept() {
    apply(rules.kept(state()), "");
  }

  private void askForTurn() {
    if (turns.waits(this)) { // it keeps its place, W-13
      discard(turns.refusal(), turns.message(this));
    } else if (turns.ask(this)) {
      run.begin();
    } else if (!turns.fits(this)) {
      discard(Verdict.Reason.POD_BUDGET, turns.message(this));
    }
  }

  /** {@return how many probes its own comes to} */
  int parts() {
    return parts;
  }

  /** The probe may start; it is already counted. */
  void begin() {
    if (apply(decide(), "")) { // what was seen may be another by now
      run.begin();
    } else {
      turns.ended(this);
    }
  }

  /** A probe that was due is not carried out; it decides nothing. */
  private void discard(Verdict.Reason reason, String why) {
    context.listener().discarded(new Discarded(subject, reason, why, turns.discarded()));
  }

  /** {@return whether a probe that could not be carried out may be tried again} */
  boolean mayRetry() {
    return !ended && turns.again(this);
  }

  /** Takes the outcome of each probe. */
  void ended(ProbeOutcome outcome) {
    turns.ended(this);
    if (ended) {
      return;
    }
    if (outcome.verdict() instanceof Verdict.ProberError error && error.reason().heldBack()) {
      discard(error.reason(), error.message());
      nextRound();
    } else {
      roundEnded(outcome);
    }
  }

  private void roundEnded(ProbeOutcome outcome) {
    long now = time().nanoTime();
    Duration latency = Duration.ofNanos(now - run.started());
    history.add(time().wallMillis(), outcome, latency);
    if (!(outcome.verdict() instanceof Verdict.ProberError)) { // it says nothing of the target
      minutes.add(now, !(outcome.verdict() instanceof Verdict.Failure), now - run.started());
      statistics.add(
          now,
          TimeUnit.MILLISECONDS.toSeconds(time().wallMillis()),
          known.containerId(),
          outcome.verdict(),
          now - run.started(),
          container.ranFor(now));
    }
    lastLatencyNanos = latency.toNanos();
    String said = outcome.verdict().text();
    if (!message.equals(said)) {
      message = said;
    }
    Duration intervalBefore = rules.interval(known);
    ProbeWorker.Outcome decided = rules.outcome(state(), outcome.verdict(), now);
    context
        .listener()
        .probed(
            new Probed(
                subject,
                known.containerId(),
                outcome,
                decided.consecutive(),
                decided.threshold(),
                latency,
                Duration.ofNanos(Math.max(0, run.started() - roundPlanned))));
    apply(decided.step(), message);
    if (ended) {
      return;
    }
    if (!rules.interval(known).equals(intervalBefore)) {
      schedule.next(rules.interval(known));
    }
    nextRound();
  }

  private void nextRound() {
    OptionalLong missed = schedule.takeMissed();
    if (missed.isPresent()) {
      round(missed.getAsLong());
    }
  }

  /** {@return since when this worker should have got on, by the monotonic clock, if it should} */
  OptionalLong due() {
    if (ended || turns.waits(this)) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(run.underWay() ? run.due() : schedule.tickAt());
  }

  private void end() {
    ended = true;
    schedule.cancel();
    turns.forget(this);
    minutes.close();
    statistics.close();
    if (!known.containerId().isEmpty()) {
      // W-7: no result outlives its worker
      context.results().remove(known.containerId(), subject.kind());
    }
    container.workerEnded(this);
    context.listener().workerEnded(subject);
  }

  private TimeSource time() {
    return context.loop().time();
  }

  ProbeSubject subject() {
    return subject;
  }

  ProbeSpec spec() {
    return spec;
  }

  /** The output of the last probe. */
  String message() {
    return message;
  }

  private @Nullable Instant nextProbe(ProbeSnapshot.Obstacle obstacle) {
    if (ended) {
      return null;
    }
    return switch (obstacle) {
      case NONE -> schedule.shown();
      case INITIAL_DELAY ->
          schedule.shown(spec.initialDelay().minus(container.state().runFor(time().nanoTime())));
      default -> null;
    };
  }

  private @Nullable Instant recoversAt() {
    Duration longer = rules.recovery(state(), time().nanoTime());
    return longer.isPositive() ? time().wallTime().plus(longer) : null;
  }

  private @Nullable ProbePast past(HistoryQuery.Day wanted) {
    return switch (wanted) {
      case NONE -> null;
      case UPTIME -> minutes.past(time().nanoTime(), time().wallTime(), 0);
      case INTERVALS -> minutes.past(time().nanoTime(), time().wallTime(), ProbePast.MAX_INTERVALS);
    };
  }

  ProbeSnapshot snapshot(HistoryQuery wanted) {
    ProbeSnapshot.Obstacle obstacle =
        rules.obstacle(state(), container.state(), container.started(), time().nanoTime());
    ProbeResult result = context.results().get(known.containerId(), subject.kind());
    return new ProbeSnapshot(
        subject.kind(),
        spec,
        result == null ? ProbeResult.UNKNOWN : result,
        known.last(),
        equalOutcomes,
        history.newest(),
        Duration.ofNanos(lastLatencyNanos),
        message,
        obstacle,
        nextProbe(obstacle),
        history.newest(wanted.outcomes()),
        past(wanted.day()),
        recoversAt(),
        wanted.statistics() ? statistics.statistics(time().nanoTime()) : null);
  }
}
