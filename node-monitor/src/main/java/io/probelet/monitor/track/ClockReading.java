package io.probelet.monitor.track;

import io.probelet.health.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * Now, on both clocks: elapsed time is decided by the monotonic one, the wall's is shown.
 *
 * @param nanos monotonic time; only differences mean anything
 */
public record ClockReading(long nanos, Instant wall) {
  /** How far the two clocks run apart unless the wall's is set. */
  private static final Duration DRIFT = Duration.ofSeconds(1);

  /** Reads the clocks. */
  public static ClockReading of(TimeSource time) {
    return new ClockReading(time.nanoTime(), time.wallTime());
  }

  /**
   * {@return how long ago that was}
   *
   * @param earlier a moment before this one
   */
  public Duration since(ClockReading earlier) {
    return Duration.ofNanos(nanos - earlier.nanos);
  }

  /**
   * {@return the moment that much later}
   *
   * @param duration how much, zero or more
   */
  public ClockReading plus(Duration duration) {
    return new ClockReading(nanos + duration.toNanos(), wall.plus(duration));
  }

  /**
   * Says what the wall clock calls a moment now, if it was set since.
   *
   * @param earlier a moment before this one
   * @return what it said then, or what it would have said if it had been right
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
   * Finds the moment of something the wall clock was read for, perhaps in a program before this.
   *
   * @param then what the wall clock said; what lies in the future counts as now
   */
  public ClockReading at(Instant then) {
    Duration ago = Duration.between(then, wall);
    return ago.isNegative() ? this : new ClockReading(nanos - ago.toNanos(), then);
  }
}
