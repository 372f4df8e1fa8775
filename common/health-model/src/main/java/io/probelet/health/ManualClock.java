package io.probelet.health;

import java.time.Duration;
import java.time.Instant;

/**
 * A clock that stands still until it is moved, for tests and for simulations.
 *
 * <p>Any thread may read it; one at a time may move it. A reader that sees the monotonic time after
 * a step also sees the wall time after the step.
 */
public final class ManualClock implements TimeSource {
  private volatile long nanos;
  private volatile Instant wall;
  private volatile long suspended;

  /**
   * Creates a clock whose monotonic time starts at zero.
   *
   * @param wall the wall time it starts at
   */
  public ManualClock(Instant wall) {
    this.wall = wall;
  }

  /**
   * Moves both clocks forward.
   *
   * @param step the duration, zero or more
   * @throws IllegalArgumentException if {@code step} is negative
   */
  public void advance(Duration step) {
    if (step.isNegative()) {
      throw new IllegalArgumentException("a monotonic clock cannot go back by " + step);
    }
    long after = Math.addExact(nanos, step.toNanos());
    wall = wall.plus(step);
    nanos = after;
  }

  /**
   * Steps the wall clock only, as an administrator or NTP would.
   *
   * @param step the duration, forward or back
   */
  public void stepWallClock(Duration step) {
    wall = wall.plus(step);
  }

  /**
   * Suspends the machine: the wall clock advances, the monotonic one stands still.
   *
   * @param length the duration, zero or more
   */
  public void suspend(Duration length) {
    wall = wall.plus(length);
    suspended = Math.addExact(suspended, length.toNanos());
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public Instant wallTime() {
    return wall;
  }

  @Override
  public long suspendedNanos() {
    return suspended;
  }
}
