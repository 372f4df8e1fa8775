package io.probelet.remediator.controller;

import io.probelet.health.TimeSource;
import java.time.Instant;

/**
 * The wall time as of the beginning of a term, moved on by the monotonic clock: whoever sets the
 * clock neither shortens nor lengthens a deadline (ACT-8).
 */
final class TermClock {
  private final TimeSource time;
  private final Instant wall;
  private final long nanos;

  TermClock(TimeSource time) {
    this.time = time;
    wall = time.wallTime();
    nanos = time.nanoTime();
  }

  Instant now() {
    return wall.plusNanos(time.nanoTime() - nanos);
  }
}
