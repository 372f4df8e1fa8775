package io.probelet.probe.engine;

import io.probelet.health.TimeSource;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.engine.ProbeLoop.RepeatedTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * When one worker ticks, by the monotonic clock in nanoseconds. Its timer runs the tick. Lives on
 * one loop.
 */
final class Schedule {
  /** What is further away is shown as this: no sum of times overflows then. */
  private static final long MAX_SHOWN_DELAY = Duration.ofDays(10_000).toNanos();

  private final ProbeSpec spec;
  private final TimeSource time;
  private final RandomGenerator random;
  private final RepeatedTimer timer;

  private long lastDue;
  private long nextDue;
  private long tickAt;

  /** The same by the wall clock as it was when the tick was planned, to be shown. */
  private long tickAtMillis;

  private boolean missed;
  private long missedTick;

  /**
   * Creates a schedule without a tick.
   *
   * @param random spreads ticks by the jitter that the spec asks for
   * @param tick run at each tick
   */
  Schedule(ProbeSpec spec, ProbeLoop loop, RandomGenerator random, Runnable tick) {
    this.spec = spec;
    this.time = loop.time();
    this.random = random;
    this.timer = loop.timer(tick);
  }

  /** Plans the first tick, from which the others count. */
  void begin(long due) {
    lastDue = due;
    plan(due);
  }

  /** Plans a tick at once instead of the next one; the period starts again from this moment. */
  void atOnce() {
    plan(time.nanoTime());
  }

  /** Plans the tick that follows the last one after an interval. */
  void next(Duration interval) {
    plan(next(lastDue, interval, time.nanoTime()));
  }

  private void plan(long due) {
    nextDue = due;
    long jitter = spec.jitter().toNanos();
    tickAt = due + (jitter > 0 ? random.nextLong(jitter) : 0);
    tickAtMillis = time.wallMillis() + TimeUnit.NANOSECONDS.toMillis(tickAt - time.nanoTime());
    timer.set(tickAt);
  }

  /** Cancels the plan. */
  void cancel() {
    timer.cancel();
  }

  /** {@return when the tick that has come was planned for} The next one counts from it. */
  long ticked() {
    lastDue = nextDue;
    return tickAt;
  }

  /** Keeps a tick that cannot be served yet, instead of the one before (W-2). */
  void miss(long tick) {
    missed = true;
    missedTick = tick;
  }

  /** {@return and removes the kept tick; empty if there is none} */
  OptionalLong takeMissed() {
    if (!missed) {
      return OptionalLong.empty();
    }
    missed = false;
    return OptionalLong.of(missedTick);
  }

  /** {@return when the next tick is planned} */
  long tickAt() {
    return tickAt;
  }

  /** {@return the wall time of the next tick} It stays the same until another tick is planned. */
  Instant shown() {
    return Instant.ofEpochMilli(tickAtMillis);
  }

  /** {@return the wall time of the first tick after a delay} */
  Instant shown(Duration delay) {
    long earliest = time.nanoTime() + Math.min(MAX_SHOWN_DELAY, delay.toNanos());
    return shown().plusNanos(from(tickAt, spec.period(), earliest) - tickAt);
  }

  /**
   * {@return which tick is the first at a time or after it}
   *
   * @param tick when the next one is due
   * @param earliest the time
   */
  static long from(long tick, Duration interval, long earliest) {
    long behind = Math.max(0, earliest - tick);
    long nanos = interval.toNanos();
    return tick + (behind + nanos - 1) / nanos * nanos;
  }

  /**
   * {@return when the tick after another is due} Ticks come every interval, whatever the probe
   * takes; those that are past already are dropped (W-2).
   *
   * @param last when the one before was due
   */
  static long next(long last, Duration interval, long now) {
    long nanos = interval.toNanos();
    long next = last + nanos;
    long behind = now - next;
    return behind < 0 ? next : next + (behind / nanos + 1) * nanos;
  }
}
