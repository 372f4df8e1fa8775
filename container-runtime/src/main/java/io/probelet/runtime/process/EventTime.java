package io.probelet.runtime.process;

import io.probelet.health.TimeSource;
import java.time.Duration;
import java.time.Instant;

/**
 * When something happened.
 *
 * @param wall on the wall clock, which is shown
 */
record EventTime(long nanos, Instant wall) {
  static EventTime of(TimeSource time) {
    return new EventTime(time.nanoTime(), time.wallTime());
  }

  /** The monotonic time this much later. */
  long plus(Duration delay) {
    return nanos + delay.toNanos();
  }

  /** Whether a monotonic time has come. */
  boolean reached(long deadlineNanos) {
    return deadlineNanos - nanos <= 0;
  }

  /** How long it has been since a monotonic time. */
  Duration since(long earlierNanos) {
    return Duration.ofNanos(nanos - earlierNanos);
  }
}
