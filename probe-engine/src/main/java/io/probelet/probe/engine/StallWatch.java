package io.probelet.probe.engine;

import io.probelet.health.ClockWatch;
import io.probelet.health.TimeSource;
import io.probelet.probe.engine.ProbeLoop.RepeatedTimer;
import java.time.Duration;

/**
 * Detects stalls of the loop (W-12): long garbage collection, CPU starvation, a stopped process, a
 * suspended machine. A heartbeat runs while probes are in flight; a beat that comes late, or a
 * suspension, is a stall. A late beat counts with the whole time since the previous beat, the
 * longest possible stall. A step of the wall clock is not a stall. The kernel's count of CPU waits
 * of the thread, read with each beat, shows what beats do not.
 */
final class StallWatch {
  /** Short enough to notice a stall of a tenth of a second. */
  static final long BEAT_NANOS = Duration.ofMillis(25).toNanos();

  /** While a probe is in flight of whose timeout a tenth is less than two beats. */
  static final long SHORT_BEAT_NANOS = Duration.ofMillis(5).toNanos();

  private static final Duration SHORT_TIMEOUT = Duration.ofMillis(500);

  /** Beats come at the ends of slots of 3 ms, and no thread wakes up to the microsecond. */
  private static final long LATE_NANOS = Duration.ofMillis(8).toNanos();

  /** The boot clock, which counts suspensions, is read to 10 ms. */
  private static final long SUSPENDED_NANOS = Duration.ofMillis(50).toNanos();

  /** More stalls than this within one probe are known by the latest ones and their sum. */
  private static final int REMEMBERED = 16;

  private final TimeSource time;
  private final ProcessorWaits waits;
  private final RepeatedTimer heartbeat;
  private int inFlight;
  private int shortInFlight;
  private long beatDue;

  /** The beat that is due has no timer yet, see {@link #probeGoesOn}. */
  private boolean beatUnset;

  private long lastMeasured;
  private final ClockWatch clocks;
  private final long[] stallLengths = new long[REMEMBERED];
  private int stalls;
  private long stalledNanos;

  /**
   * A moment: how many stalls there had been, and how long they were together. Each worker has one
   * and sets it anew with each probe: thousands of new ones that live until the next probe are what
   * a pause of the garbage collector is made of.
   */
  static final class Mark {
    private int stalls;
    private long stalledNanos;
  }

  StallWatch(ProbeLoop loop) {
    this.time = loop.time();
    this.heartbeat = loop.timer(this::beat);
    this.clocks = new ClockWatch(time);
    this.waits = new ProcessorWaits(loop.processorWaits(), time);
  }

  /** Begins watching on behalf of one probe; to be followed by {@link #probeGoesOn}. */
  void probeStarted(Duration timeout) {
    boolean isFirst = inFlight++ == 0;
    boolean isFirstShort = isShort(timeout) && shortInFlight++ == 0;
    if (isFirst) {
      lastMeasured = time.nanoTime();
      clocks.measure(lastMeasured); // what was before is of no probe
      waits.fresh(beatNanos());
    } else if (isFirstShort) {
      measureAll();
    }
    if (isFirst || isFirstShort) {
      beatDue = time.nanoTime() + beatNanos();
      beatUnset = true;
    }
  }

  /**
   * A probe that began is still under way: beats are needed. One by TCP mostly is not, and a timer
   * would be set and called off again for each of thousands a second.
   */
  void probeGoesOn() {
    if (beatUnset) {
      beatUnset = false;
      heartbeat.set(beatDue);
    }
  }

  /** Ends watching on behalf of one probe, of the timeout that it began with. */
  void probeEnded(Duration timeout) {
    if (isShort(timeout)) {
      shortInFlight--;
    }
    if (--inFlight > 0) {
      probeGoesOn(); // for the others
    } else {
      beatUnset = false;
      heartbeat.cancel();
    }
  }

  private static boolean isShort(Duration timeout) {
    return timeout.compareTo(SHORT_TIMEOUT) < 0;
  }

  private long beatNanos() {
    return shortInFlight > 0 ? SHORT_BEAT_NANOS : BEAT_NANOS;
  }

  private void beat() {
    measureAll();
    beatDue = time.nanoTime() + beatNanos();
    heartbeat.set(beatDue);
  }

  private void measureAll() {
    measure();
    stalledNanos += waits.unknown();
  }

  private void measure() {
    long now = time.nanoTime();
    long gap = now - lastMeasured;
    clocks.measure(now);
    long suspended = clocks.suspendedNanos();
    boolean late = now - beatDue >= LATE_NANOS && gap >= LATE_NANOS;
    // Both can be: the process was stopped, and then the machine suspended.
    long lost = (late ? gap : 0) + (suspended >= SUSPENDED_NANOS ? suspended : 0);
    if (lost > 0) {
      stalled(lost);
    }
    lastMeasured = now;
  }

  private void stalled(long nanos) {
    stallLengths[stalls++ % REMEMBERED] = nanos;
    stalledNanos += nanos;
    waits.known(nanos);
  }

  /** Sets a mark to the present moment, to be asked about later; only while a probe runs. */
  void set(Mark mark) {
    measure(); // so that a stall before this moment is not counted after it
    mark.stalls = stalls;
    mark.stalledNanos = stalledNanos;
  }

  /** {@return nanoseconds that were lost since a mark, as far as they were measured} */
  long lostSince(Mark mark) {
    return stalledNanos - mark.stalledNanos;
  }

  /** {@return whether since a mark a tenth of the timeout was lost at once, or half in all} */
  boolean stalledSince(Mark mark, Duration timeout) {
    measureAll();
    if (lostSince(mark) >= timeout.toNanos() / 2) {
      return true;
    }
    long limit = timeout.toNanos() / 10;
    for (int stall = Math.max(mark.stalls, stalls - REMEMBERED); stall < stalls; stall++) {
      if (stallLengths[stall % REMEMBERED] >= limit) {
        return true;
      }
    }
    return false;
  }
}
