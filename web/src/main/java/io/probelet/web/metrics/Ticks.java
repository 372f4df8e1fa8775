package io.probelet.web.metrics;

import io.micrometer.core.instrument.Clock;
import io.probelet.health.TimeSource;

/** Our clocks as Micrometer's. */
final class Ticks implements Clock {
  private final TimeSource time;

  Ticks(TimeSource time) {
    this.time = time;
  }

  @Override
  public long wallTime() {
    return time.wallMillis();
  }

  @Override
  public long monotonicTime() {
    return time.nanoTime();
  }
}
