package io.probelet.probe.engine;

import io.probelet.health.GoDuration;
import io.probelet.health.TimeSource;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.Verdict;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out one probe at a time, its retries included, and gives its single outcome, whatever the
 * prober throws and even if it never answers. Lives on one loop.
 */
final class ProbeRun {
  private static final Logger LOG = LoggerFactory.getLogger(ProbeRun.class);
  private static final int ATTEMPTS = 3;

  /**
   * Beyond its timeout a prober waits for a runtime at most 10 s; one that takes longer is lost.
   */
  static final Duration LOST = Duration.ofSeconds(15);

  /** Limit of consecutive doublings of the timeout while stalls discard attempts. */
  private static final int MAX_DOUBLINGS = 4;

  /** By so much the timeout grows at most: others of the pod wait for their turn (W-13). */
  private static final Duration MAX_GROWTH = Duration.ofMinutes(1);

  private final ProbeSubject subject;
  private final ProbeSpec spec;
  private final ProbedContainer container;
  private final LoopContext context;
  private final WorkerRunner owner;

  private boolean underWay;
  private long started;
  private long attemptStarted;
  private final ColdStart.Path path;
  private final StallWatch.Mark attemptMark = new StallWatch.Mark();
  private long attemptCode;
  private int attempts;
  private long attemptSerial;

  /** Of the probe that is or was under way. */
  private Duration timeout;

  private int doublings;

  /**
   * Creates a run that is not under way.
   *
   * @param owner whose probes these are
   */
  ProbeRun(
      ProbeSubject subject,
      ProbeSpec spec,
      ProbedContainer container,
      LoopContext context,
      WorkerRunner owner) {
    this.subject = subject;
    this.spec = spec;
    this.container = container;
    this.context = context;
    this.owner = owner;
    this.path = ColdStart.Path.of(spec.handler());
    this.timeout = spec.timeout();
  }

  boolean underWay() {
    return underWay;
  }

  /** {@return when the probe that is or was under way began} */
  long started() {
    return started;
  }

  /** {@return when the prober must have answered} */
  long due() {
    return attemptStarted + timeout.plus(LOST).toNanos();
  }

  void begin() {
    underWay = true;
    attempts = 0;
    timeout = grownTimeout();
    context.stallWatch().probeStarted(timeout);
    started = time().nanoTime();
    attempt();
    if (underWay) {
      context.stallWatch().probeGoesOn();
    }
  }

  /**
   * W-12: an agent that stalls repeatedly would never detect a dead target, because it discards
   * each attempt. A longer attempt includes enough time in which the agent runs.
   */
  private Duration grownTimeout() {
    Duration own = spec.timeout();
    if (doublings == 0) {
      return own;
    }
    Duration doubled = own.multipliedBy(1L << doublings);
    Duration most = own.plus(MAX_GROWTH);
    return doubled.compareTo(most) < 0 ? doubled : most;
  }

  /** Ends a probe whose prober returned no outcome: a worker must not wait forever. */
  void endIfLost() {
    if (underWay && time().nanoTime() - due() > 0) {
      LOG.error(
          "prober returned no outcome pod={} container={} probe={}",
          subject.pod(),
          subject.container(),
          subject.kind().label().toLowerCase(Locale.ROOT));
      end(error(Verdict.Reason.INTERNAL, "prober failed: no outcome"));
    }
  }

  private void attempt() {
    attempts++;
    attemptStarted = time().nanoTime();
    context.stallWatch().set(attemptMark);
    attemptCode = context.coldStart().mark(path);
    long current = ++attemptSerial;
    try {
      context.prober().probe(spec.handler(), container.target(), timeout, new Answer(current));
    } catch (Throwable bug) { // W-11: whatever it is, it is this probe's and no other's
      Faults.rethrowIfFatal(bug);
      LOG.error(
          "internal error in a prober, continuing pod={} container={} probe={}",
          subject.pod(),
          subject.container(),
          subject.kind().label().toLowerCase(Locale.ROOT),
          bug);
      attemptEnded(current, error(Verdict.Reason.INTERNAL, "prober failed: " + bug));
    }
  }

  /**
   * Takes the answer to one attempt. A class: C1 makes a lambda's object by a call into the JVM.
   */
  private final class Answer implements Consumer<ProbeOutcome> {
    private final long attempt;

    Answer(long attempt) {
      this.attempt = attempt;
    }

    @Override
    public void accept(ProbeOutcome outcome) {
      attemptEnded(attempt, outcome);
    }
  }

  private void attemptEnded(long which, ProbeOutcome outcome) {
    if (!underWay || which != attemptSerial) {
      return; // a prober that threw after it had answered, or that was given up on
    }
    boolean brokeOff = brokeOff(outcome.verdict());
    ProbeOutcome checked = brokeOff ? withoutAnswer(outcome) : outcome;
    if (outcome.verdict() instanceof Verdict.ProberError error
        && checked.equals(outcome)
        && attempts < ATTEMPTS
        && !error.reason().heldBack()
        && owner.mayRetry()) {
      attempt();
    } else if (brokeOff || outcome.verdict() instanceof Verdict.ProberError) {
      end(checked);
    } else {
      context.coldStart().answered(path);
      end(doublings == 0 ? outcome : answerInGrownTime(outcome));
    }
  }

  /** {@return whether a stall of the agent may have caused it} */
  private static boolean brokeOff(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Failure failure -> !failure.definite();
      case Verdict.ProberError error -> error.reason() == Verdict.Reason.INCOMPLETE_ANSWER;
      default -> false;
    };
  }

  /**
   * {@return the outcome of a probe without a definite result, or a prober error if the agent was
   * stalled}
   */
  private ProbeOutcome withoutAnswer(ProbeOutcome outcome) {
    StallWatch watch = context.stallWatch();
    // W-12: the agent was stalled. Only for a longer timeout is the agent's running time known.
    if (watch.stalledSince(attemptMark, timeout) && (doublings == 0 || !hadItsTime())) {
      doublings = Math.min(doublings + 1, MAX_DOUBLINGS);
      context.pulse().stalled(watch.lostSince(attemptMark));
      return error(
          Verdict.Reason.STALLED,
          "discarded, the agent was stalled during the probe: " + outcome.verdict().text());
    }
    // W-21: the agent's code was loaded or compiled meanwhile. A probe that is discarded anyway
    // keeps the more specific reason.
    long lost = watch.lostSince(attemptMark);
    if (outcome.verdict() instanceof Verdict.Failure
        && context.coldStart().spoilt(path, attemptCode, lost, timeout)) {
      return error(
          Verdict.Reason.COLD_START,
          "discarded, the agent had just started: " + outcome.verdict().text());
    }
    shrinkUnlessStalled();
    return outcome;
  }

  /** {@return the outcome, or a failure if the target needed more than its own timeout (W-12)} */
  private ProbeOutcome answerInGrownTime(ProbeOutcome outcome) {
    shrinkUnlessStalled();
    if (!outcome.verdict().healthy() || !hadItsTime()) {
      return outcome;
    }
    String late =
        "the response came after its timeout of %s, which was extended to %s because the agent was stalled"
            .formatted(GoDuration.format(spec.timeout()), GoDuration.format(timeout));
    return new ProbeOutcome(
        new Verdict.Failure(late, Verdict.Cause.TIMEOUT),
        outcome.timings(),
        outcome.certificateExpiry());
  }

  private void shrinkUnlessStalled() {
    if (doublings > 0 && !context.stallWatch().stalledSince(attemptMark, spec.timeout())) {
      doublings = 0;
    }
  }

  /**
   * {@return whether the agent ran for the target's whole timeout, whatever it lost beside that}
   */
  private boolean hadItsTime() {
    long took = time().nanoTime() - attemptStarted;
    return took - context.stallWatch().lostSince(attemptMark) > spec.timeout().toNanos();
  }

  private void end(ProbeOutcome outcome) {
    underWay = false;
    attemptSerial++;
    context.stallWatch().probeEnded(timeout);
    context.pulse().beat();
    owner.ended(outcome);
  }

  private ProbeOutcome error(Verdict.Reason reason, String text) {
    return new ProbeOutcome(
        new Verdict.ProberError(reason, text), ProbeTimings.of(time().nanoTime() - attemptStarted));
  }

  private TimeSource time() {
    return context.loop().time();
  }
}
