package io.probelet.health;

import java.time.Instant;

/**
 * The only way this project learns what time it is.
 *
 * <p>Elapsed time is decided by {@link #nanoTime()}, which no clock step can move; {@link
 * #wallTime()} is for what is shown or stored.
 */
public interface TimeSource {
  /**
   * {@return monotonic time in nanoseconds since an arbitrary origin; only differences mean
   * anything, and they may overflow like {@link System#nanoTime()}}
   */
  long nanoTime();

  /** {@return the wall clock's time, which may jump in either direction} */
  Instant wallTime();

  /** {@return the same in milliseconds since 1970, for who asks often} */
  default long wallMillis() {
    return wallTime().toEpochMilli();
  }

  /**
   * {@return nanoseconds that the machine was suspended, counted from an arbitrary moment, to some
   * 10 ms; only differences mean anything. {@link #nanoTime()} stands still during a suspension.
   * Slow: {@link ClockWatch} asks only when the clocks disagree}
   */
  default long suspendedNanos() {
    return 0;
  }
}
