package io.probelet.health;

import java.time.Instant;

/**
 * The only source of time in this project.
 *
 * <p>Use {@link #nanoTime()} for elapsed time, since clock steps do not affect it, and {@link
 * #wallTime()} for display and storage.
 */
public interface TimeSource {
  /**
   * {@return monotonic time in nanoseconds since an arbitrary origin; only differences mean
   * anything, and they may overflow like {@link System#nanoTime()}}
   */
  long nanoTime();

  /** {@return the wall clock's time, which may jump in either direction} */
  Instant wallTime();

  /** {@return the same in milliseconds since 1970, for frequent calls} */
  default long wallMillis() {
    return wallTime().toEpochMilli();
  }

  /**
   * {@return nanoseconds of suspension since an arbitrary moment, accurate to about 10 ms; only
   * differences mean anything. {@link #nanoTime()} stands still during a suspension. Slow: {@link
   * ClockWatch} asks only when the clocks disagree}
   */
  default long suspendedNanos() {
    return 0;
  }

  /** {@return what creates threads and waits in this time} */
  default Threads threads() {
    return Threads.MACHINE;
  }
}
