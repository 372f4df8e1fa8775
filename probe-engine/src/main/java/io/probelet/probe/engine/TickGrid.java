package io.probelet.probe.engine;

import java.time.Duration;

/** When a worker ticks: pure functions over the monotonic clock, in nanoseconds. */
final class TickGrid {
  private TickGrid() {}

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
