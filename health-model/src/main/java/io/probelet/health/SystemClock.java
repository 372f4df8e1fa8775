package io.probelet.health;

import java.time.Instant;

/** The machine's own clocks; the single place that reads them. */
public enum SystemClock implements TimeSource {
  /** The one instance. */
  INSTANCE;

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Instant wallTime() {
    return Instant.now();
  }

  @Override
  public long wallMillis() {
    return System.currentTimeMillis();
  }
}
