package io.probelet.probe.net;

import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Cause;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.engine.Faults;
import io.probelet.probe.engine.ProbeLoop.Timer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt from its start to its single outcome: the deadline over all of it, the phases it went
 * through, and what must be closed when it is over.
 *
 * <p>Lives on its loop; all methods are called there.
 */
public final class Attempt {
  private static final Logger LOG = LoggerFactory.getLogger(Attempt.class);

  private final NetLoop loop;
  private final Function<Phase, Verdict> onTimeout;
  private final Consumer<ProbeOutcome> done;
  private final long start;
  private final Timer timer;

  private Phase phase = Phase.RESOLVING;
  private long begun;
  private long resolved = ProbeTimings.NOT_REACHED;
  private long connected = ProbeTimings.NOT_REACHED;
  private long secured = ProbeTimings.NOT_REACHED;
  private long firstByte = ProbeTimings.NOT_REACHED;
  private long certificateExpiry = ProbeOutcome.NO_CERTIFICATE;
  private boolean preparing;
  private @Nullable Runnable release;
  private boolean over;

  private Attempt(
      NetLoop loop,
      Duration timeout,
      Function<Phase, Verdict> onTimeout,
      Consumer<ProbeOutcome> done) {
    this.loop = loop;
    this.onTimeout = onTimeout;
    this.done = done;
    this.start = loop.time().nanoTime();
    this.timer = loop.schedule(timeout, new Timeout());
  }

  /**
   * Starts the clock.
   *
   * @param loop where the attempt lives
   * @param timeout bound over everything the attempt does, greater than zero
   * @param onTimeout says what it means that the time ran out in a phase
   * @param done takes the outcome, once
   * @return the running attempt
   */
  public static Attempt begin(
      NetLoop loop,
      Duration timeout,
      Function<Phase, Verdict> onTimeout,
      Consumer<ProbeOutcome> done) {
    return new Attempt(loop, timeout, onTimeout, done);
  }

  /** {@return the current phase} */
  public Phase phase() {
    return phase;
  }

  /** {@return whether the outcome has been given; whatever comes now comes too late} */
  public boolean over() {
    return over;
  }

  /**
   * Moves on. The phase that is left gets its time stamped.
   *
   * @param next entered now
   */
  public void enter(Phase next) {
    long now = loop.time().nanoTime() - start;
    switch (phase) {
      case RESOLVING -> resolved = now;
      case CONNECTING -> connected = now;
      case SECURING -> secured = now;
      case WAITING -> firstByte = now;
      case READING -> {}
    }
    phase = next;
  }

  /** Begins TLS over a connection that is in use already. */
  void secure() {
    phase = Phase.SECURING;
    firstByte = ProbeTimings.NOT_REACHED;
  }

  /** {@return when the first of the certificates shown expires, in seconds of the epoch} */
  public long certificateExpiry() {
    return certificateExpiry;
  }

  /** Moves on without having been in the phase that is left. */
  void skipTo(Phase next) {
    phase = next;
  }

  /**
   * Begins with work of our own, up to the next {@link #restart}: a timeout in it is no fault of
   * the target's.
   */
  public void prepare() {
    restart(Phase.RESOLVING, () -> {});
    preparing = true;
  }

  /**
   * Begins a connection, the first or one after a redirect: what the attempt held before is closed
   * and older stamps are void.
   */
  void restart(Phase first, Runnable closing) {
    if (release != null) {
      release.run();
      begun = loop.time().nanoTime() - start;
    }
    release = closing;
    preparing = false;
    resolved = ProbeTimings.NOT_REACHED;
    connected = ProbeTimings.NOT_REACHED;
    secured = ProbeTimings.NOT_REACHED;
    firstByte = ProbeTimings.NOT_REACHED;
    phase = first;
  }

  /** {@return how long each completed phase of the last connection took, and all together} */
  public Map<String, Duration> phases() {
    Map<String, Duration> phases = new LinkedHashMap<>();
    long before = begun;
    before = phase(phases, "resolve", before, resolved);
    before = phase(phases, "connect", before, connected);
    before = phase(phases, "tls", before, secured);
    phase(phases, "first_byte", before, firstByte);
    phases.put("total", Duration.ofNanos(loop.time().nanoTime() - start));
    return phases;
  }

  private static long phase(Map<String, Duration> phases, String name, long from, long to) {
    if (to == ProbeTimings.NOT_REACHED) {
      return from;
    }
    phases.put(name, Duration.ofNanos(to - from));
    return to;
  }

  /** Notes when a certificate expires that the target showed; the earliest counts. */
  void presented(long expiry) {
    certificateExpiry = Math.min(certificateExpiry, expiry);
  }

  /**
   * Gives the outcome, after closing what the attempt holds. Only the first call counts.
   *
   * @param verdict what was found out
   */
  public void end(Verdict verdict) {
    if (over) {
      return;
    }
    over = true;
    timer.cancel();
    if (release != null) {
      Runnable closing = release;
      release = null;
      guard(closing); // the outcome is given even so
    }
    long total = loop.time().nanoTime() - start;
    done.accept(
        new ProbeOutcome(
            verdict instanceof Verdict.Failure failure ? failure.by(cause()) : verdict,
            new ProbeTimings(begun, resolved, connected, secured, firstByte, total),
            certificateExpiry));
  }

  private Cause cause() {
    return switch (phase) {
      case RESOLVING -> Cause.RESOLVE;
      case CONNECTING -> Cause.CONNECT;
      case SECURING -> Cause.TLS;
      case WAITING, READING -> Cause.ANSWER;
    };
  }

  /**
   * A class, as are others that each probe needs: C1 makes a lambda's object by a call into the
   * JVM.
   */
  private final class Timeout implements Runnable {
    @Override
    public void run() {
      timeOut();
    }
  }

  private void timeOut() {
    if (preparing) {
      end(new Verdict.ProberError(Reason.STALLED, "files of the probe were not read in time"));
    } else if (!over) {
      guard(() -> {
        Verdict late = onTimeout.apply(phase);
        end(late instanceof Verdict.Failure failure ? failure.by(Cause.TIMEOUT) : late);
      });
    }
  }

  /**
   * Runs a part of the attempt; an exception ends the attempt and has no other effect (W-11).
   *
   * @param part runs on the loop
   */
  public void guard(Runnable part) {
    try {
      part.run();
    } catch (Throwable bug) {
      Faults.rethrowIfFatal(bug);
      LOG.error("internal error in a prober, continuing", bug);
      end(new Verdict.ProberError(Reason.INTERNAL, "prober failed: " + bug));
    }
  }

  /** The phase of an attempt; a timeout names it. */
  public enum Phase {
    /** Resolving the host's name. */
    RESOLVING,
    /** Making the connection. */
    CONNECTING,
    /** Shaking hands for TLS. */
    SECURING,
    /** Connected; the first byte of the answer has not come yet. */
    WAITING,
    /** Reading the answer. */
    READING
  }
}
