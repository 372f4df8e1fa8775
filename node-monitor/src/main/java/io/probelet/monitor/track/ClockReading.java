package io.probelet.monitor.track;

import io.probelet.health.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * The current time on both clocks: the monotonic one measures elapsed time, the wall clock is
 * shown.
 *
 * @param nanos monotonic time; only differences mean anything
 */
public record ClockReading(long nanos, Instant wall) {
  /** The largest drift between the two clocks unless the wall clock is set. */
  private static final Duration DRIFT = Duration.ofSeconds(1);

  /** Reads the clocks. */
  public static ClockReading of(TimeSource time) {
    return new ClockReading(time.nanoTime(), time.wallTime());
  }

  /**
   * {@return the time elapsed since then}
   *
   * @param earlier a moment before this one
   */
  public Duration since(ClockReading earlier) {
    return Duration.ofNanos(nanos - earlier.nanos);
  }

  /**
   * {@return the moment after a duration}
   *
   * @param duration zero or more
   */
  public ClockReading plus(Duration duration) {
    return new ClockReading(nanos + duration.toNanos(), wall.plus(duration));
  }

  /**
   * Returns the wall time of an earlier moment, corrected if the wall clock was set since.
   *
   * @param earlier a moment before this one
   * @return the wall time at that moment, by the current setting
   */
  Instant nameOf(ClockReading earlier) {
    Instant present = wall.minus(since(earlier));
    boolean wasSet = Duration.between(present, earlier.wall).abs().compareTo(DRIFT) > 0;
    return wasSet ? present : earlier.wall;
  }

  /** {@return whether this moment is at or after the other} */
  public boolean reached(ClockReading other) {
    return nanos - other.nanos >= 0;
  }

  /**
   * Converts a wall time, perhaps of an earlier process, to a moment.
   *
   * @param then the wall time; a future time counts as now
   */
  public ClockReading at(Instant then) {
    Duration ago = Duration.between(then, wall);
    return ago.isNegative() ? this : new ClockReading(nanos - ago.toNanos(), then);
  }
}
