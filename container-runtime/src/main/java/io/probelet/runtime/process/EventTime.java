package io.probelet.runtime.process;

import io.probelet.health.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * The time of an event.
 *
 * @param wall on the wall clock, for display
 */
record EventTime(long nanos, Instant wall) {
  static EventTime of(TimeSource time) {
    return new EventTime(time.nanoTime(), time.wallTime());
  }

  /** The monotonic time plus a duration. */
  long plus(Duration delay) {
    return nanos + delay.toNanos();
  }

  /** Whether a monotonic time has been reached. */
  boolean reached(long deadlineNanos) {
    return deadlineNanos - nanos <= 0;
  }

  /** The duration since a monotonic time. */
  Duration since(long earlierNanos) {
    return Duration.ofNanos(nanos - earlierNanos);
  }
}
