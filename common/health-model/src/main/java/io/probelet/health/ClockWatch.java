package io.probelet.health;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Distinguishes a suspension of the machine from a step of its wall clock. In both cases the wall
 * clock gains on the monotonic one; only in a suspension nothing ran. Not thread-safe.
 *
 * <pre>
 *   wall clock minus monotonic clock   boot clock minus monotonic clock   is
 *   unchanged                          (not read)                         neither
 *   + 1 h                              + 1 h                              a suspension
 *   + 1 h                              unchanged                          a step
 * </pre>
 */
public final class ClockWatch {
  /** A slewed wall clock gains less than this between two measurements. */
  private static final long DISAGREE_NANOS = Duration.ofMillis(100).toNanos();

  /** No sum of times overflows below this. */
  private static final long MAX_MILLIS = Duration.ofDays(10_000).toMillis();

  private final TimeSource time;
  private long lastNanos;
  private long lastWallMillis;
  private long lastSuspended;
  private long suspended;
  private long stepped;

  /**
   * Begins to watch.
   *
   * @param time the clocks
   */
  public ClockWatch(TimeSource time) {
    this.time = time;
    lastNanos = time.nanoTime();
    lastWallMillis = time.wallMillis();
    lastSuspended = time.suspendedNanos();
  }

  /**
   * Measures the changes since the last measurement.
   *
   * @param now the monotonic clock, in nanoseconds
   */
  public void measure(long now) {
    long wallMillis = time.wallMillis();
    long wall =
        TimeUnit.MILLISECONDS.toNanos(
            Math.clamp(wallMillis - lastWallMillis, -MAX_MILLIS, MAX_MILLIS));
    long ahead = wall - (now - lastNanos);
    lastNanos = now;
    lastWallMillis = wallMillis;
    suspended = 0;
    stepped = 0;
    if (Math.abs(ahead) >= DISAGREE_NANOS) {
      long all = time.suspendedNanos();
      suspended = Math.max(0, all - lastSuspended);
      lastSuspended = all;
      stepped = ahead - suspended;
    }
  }

  /** {@return how many nanoseconds of the last measurement the machine was suspended} */
  public long suspendedNanos() {
    return suspended;
  }

  /** {@return by how many nanoseconds the wall clock was set, forward or back} */
  public long steppedNanos() {
    return stepped;
  }
}
