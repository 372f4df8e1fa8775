package io.probelet.nodehealth.controller;

import io.probelet.health.SystemClock;
import io.probelet.health.TimeSource;
import java.time.Duration;
import java.time.Instant;

/** Runs as the machine's clock does, and can be put forward. */
final class TestClock implements TimeSource {
  private volatile Duration ahead = Duration.ZERO;

  void advance(Duration time) {
    ahead = ahead.plus(time);
  }

  @Override
  public long nanoTime() {
    return SystemClock.INSTANCE.nanoTime() + ahead.toNanos();
  }

  @Override
  public Instant wallTime() {
    return SystemClock.INSTANCE.wallTime().plus(ahead);
  }
}
