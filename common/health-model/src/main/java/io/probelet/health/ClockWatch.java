package io.probelet.health;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Distinguishes a suspension of the machine from a step of its wall clock. During both the wall
 * clock gains on the monotonic one; only a suspension is time in which nothing ran. Not safe for
 * use by several threads.
 *
 * <pre>
 *   wall clock minus monotonic clock   boot clock minus monotonic clock   is
 *   unchanged                          (not read)                         neither
 *   + 1 h                              + 1 h                              a suspension
 *   + 1 h                              unchanged                          a step
 * </pre>
 */
public final class ClockWatch {
  /** A wall clock that is slewed gains less than this between two measurements. */
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
   * Measures what has happened since the last measurement.
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

  /** {@return nanoseconds of the last measurement in which the machine was suspended} */
  public long suspendedNanos() {
    return suspended;
  }

  /** {@return by how many nanoseconds the wall clock was set meanwhile, forward or back} */
  public long steppedNanos() {
    return stepped;
  }
}
