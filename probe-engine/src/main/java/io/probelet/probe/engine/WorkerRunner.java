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
import io.probelet.probe.engine.ProbeLoop.RepeatedTimer;
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

  /** What is further away is shown as this: no sum of times overflows then. */
  private static final long MAX_SHOWN_DELAY = Duration.ofDays(10_000).toNanos();

  private final ProbeSubject subject;
  private final ProbeSpec spec;
  private final ProbeWorker rules;
  private final ProbedContainer container;
  private final LoopContext context;
  private final PodTurns turns;
  private final ProbeRun run;
  private final int parts;
  private final ProbeHistory history = new ProbeHistory();

  private final RepeatedTimer tick;

  /** Where it stands, but for the run of equal outcomes: that is a number, see {@link #state()}. */
  private WorkerState known = WorkerState.NEW;

  private int equalOutcomes;
  private long lastDue;
  private long nextDue;
  private long tickAt;

  /** The same by the wall clock as it was when the tick was planned, to be shown. */
  private long tickAtMillis;

  private boolean ended;
  private boolean tickMissed;
  private long missedTick;
  private long roundPlanned;

  /** It has asked for its turn and not been given it yet. */
  private boolean waiting;

  /** It has been given its turn and not made use of it yet. */
  private boolean granted;

  private String message = "";

  /** The end of the last probe by the wall clock; a number, see {@link #state()}. */
  private long lastProbeMillis;

  private boolean everProbed;
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
    this.tick = context.loop().timer(this::tick);
    this.parts = spec.handler().parts(MAX_COUNTED_PARTS);
    this.run = new ProbeRun(subject, spec, container, context, this);
  }

  /** Begins to tick: at once, or spread over a period when the agent has just started (W-1). */
  void start() {
    nextDue = context.firstTicks().next(time().nanoTime(), spec.period());
    lastDue = nextDue;
    scheduleTick();
  }

  /**
   * Probes now instead of at the next tick, or as soon as the probe under way has ended; the period
   * starts again from this moment (W-9).
   */
  void probeNow() {
    if (!ended) {
      nextDue = time().nanoTime();
      scheduleTick();
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

  private void scheduleTick() {
    long jitter = spec.jitter().toNanos();
    tickAt = nextDue + (jitter > 0 ? context.random().nextLong(jitter) : 0);
    tickAtMillis = time().wallMillis() + TimeUnit.NANOSECONDS.toMillis(tickAt - time().nanoTime());
    tick.set(tickAt);
  }

  private void tick() {
    if (ended) {
      return;
    }
    context.pulse().beat();
    long planned = tickAt;
    lastDue = nextDue;
    planNext();
    run.endIfLost();
    if (run.underWay()) { // one tick at most waits for the probe to end, W-2
      tickMissed = true;
      missedTick = planned;
    } else {
      round(planned);
    }
  }

  private void planNext() {
    nextDue = TickGrid.next(lastDue, rules.interval(known), time().nanoTime());
    scheduleTick();
  }

  private void round(long planned) {
    roundPlanned = planned;
    apply(decide(), "");
  }

  private ProbeWorker.Step decide() {
    return rules.tick(state(), container.state(), container.started(), time().nanoTime());
  }

  private void apply(ProbeWorker.Step step, String why) {
    become(step.state());
    List<Effect> effects = step.effects();
    for (int i = 0; i < effects.size(); i++) { // without the object that an iterator is
      switch (effects.get(i)) {
        case Drop drop -> context.results().remove(drop.containerId(), subject.kind());
        case Publish publish -> publish(publish, why);
        case Started started -> container.startupSucceeded(started.containerId());
        case Probe _ -> askForTurn();
        case End _ -> end();
      }
    }
  }

  /**
   * {@return where it stands} Made anew each time: thousands of workers that each keep a new object
   * until their next probe are what a pause of the garbage collector is made of (benchmarks/run
   * scale).
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

  /** Forgets what was decided of the container, so that it is probed on as if it were new. */
  void startOver() {
    apply(rules.startOver(state()), "");
  }

  private void askForTurn() {
    if (granted) {
      granted = false;
      run.begin();
    } else if (waiting) { // it keeps its place, W-13
      discard(turns.refusal(), turns.message(this));
    } else if (turns.ask(this)) {
      run.begin();
    } else if (!turns.fits(this)) {
      discard(Verdict.Reason.POD_BUDGET, turns.message(this));
    } else {
      waiting = true;
    }
  }

  /** {@return how many probes its own comes to} */
  int parts() {
    return parts;
  }

  /** Its turn has come; it has been counted as begun. */
  void begin() {
    waiting = false;
    granted = true;
    apply(decide(), ""); // what was seen may be another by now
    if (granted) {
      granted = false;
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
    lastProbeMillis = time().wallMillis();
    history.add(lastProbeMillis, outcome, latency);
    everProbed = true;
    lastLatencyNanos = latency.toNanos();
    String said = outcome.verdict().text();
    if (!message.equals(said)) {
      message = said;
    }
    Duration intervalBefore = rules.interval(known);
    ProbeWorker.Outcome decided = rules.outcome(state(), outcome.verdict());
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
      planNext();
    }
    nextRound();
  }

  private void nextRound() {
    if (tickMissed) {
      tickMissed = false;
      round(missedTick);
    }
  }

  /** {@return since when this worker should have got on, by the monotonic clock, if it should} */
  OptionalLong due() {
    if (ended || waiting) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(run.underWay() ? run.due() : tickAt);
  }

  private void end() {
    ended = true;
    tick.cancel();
    if (waiting) {
      waiting = false;
      turns.forget(this);
    }
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

  /** What the last probe said. */
  String message() {
    return message;
  }

  /** The same until another tick is planned: what is shown should change only when it does. */
  private @Nullable Instant nextProbe(ProbeSnapshot.Obstacle obstacle) {
    if (ended) {
      return null;
    }
    Instant tickWall = Instant.ofEpochMilli(tickAtMillis);
    return switch (obstacle) {
      case NONE -> tickWall;
      case INITIAL_DELAY -> {
        long now = time().nanoTime();
        Duration left = spec.initialDelay().minus(container.state().runFor(now));
        long enough = now + Math.min(MAX_SHOWN_DELAY, left.toNanos());
        yield tickWall.plusNanos(TickGrid.from(tickAt, spec.period(), enough) - tickAt);
      }
      default -> null;
    };
  }

  ProbeSnapshot snapshot(int outcomes) {
    ProbeSnapshot.Obstacle obstacle =
        rules.obstacle(state(), container.state(), container.started(), time().nanoTime());
    ProbeResult result = context.results().get(known.containerId(), subject.kind());
    return new ProbeSnapshot(
        subject.kind(),
        spec,
        result == null ? ProbeResult.UNKNOWN : result,
        known.last(),
        equalOutcomes,
        everProbed ? Instant.ofEpochMilli(lastProbeMillis) : null,
        Duration.ofNanos(lastLatencyNanos),
        message,
        obstacle,
        nextProbe(obstacle),
        history.newest(outcomes));
  }
}
