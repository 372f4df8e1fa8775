package io.probelet.monitor.publish;

import io.probelet.health.RetryBackoff;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Decides when to write to the Node (B-8). Times are nanoseconds of the monotonic clock. Not
 * thread-safe.
 *
 * <pre>
 * change  change                      nothing new                    change   refused
 *   |-- 1 s --|-- write --------------- 5 min --------------- write ... |- 1 s -|-- wait -- write
 * </pre>
 */
final class PublishSchedule {
  static final Duration COALESCE = Duration.ofSeconds(1);
  static final Duration HEARTBEAT = Duration.ofMinutes(5);
  static final Duration REWORD = Duration.ofMinutes(1);

  /** Prevents all agents of a cluster from retrying at once. */
  private static final RetryBackoff BACKOFF =
      new RetryBackoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0.5);

  private final RandomGenerator random;
  private final Duration heartbeat;
  private long due;
  private boolean failing;
  private int failures;
  private boolean written;
  private long lastWrite;
  private boolean hurried;

  /**
   * Creates a schedule before the first write.
   *
   * @param heartbeat the time after a write at which the next is due without changes
   * @param random spreads the retries of the agents of a cluster
   */
  PublishSchedule(long now, Duration heartbeat, RandomGenerator random) {
    this.random = random;
    this.heartbeat = heartbeat;
    due = now + heartbeat.toNanos();
  }

  /** {@return when the next attempt is due} */
  long due() {
    return due;
  }

  /** Records a change to write; after a failure it waits for the next attempt. */
  void changed(long now) {
    if (!failing) {
      due = Math.min(due - now, COALESCE.toNanos()) + now;
    }
  }

  /** Records a changed message, which may wait until a minute after the last write. */
  void messageChanged(long now) {
    if (!failing) {
      due = Math.min(due - now, untilMessageChange(now)) + now;
    }
  }

  private long untilMessageChange(long now) {
    long soon = COALESCE.toNanos();
    return written ? Math.max(soon, lastWrite + REWORD.toNanos() - now) : soon;
  }

  /** An attempt has succeeded; it included all earlier changes. */
  void succeeded(long now) {
    failures = 0;
    failing = false;
    hurried = false;
    written = true;
    lastWrite = now;
    due = now + heartbeat.toNanos();
  }

  /** Another client reaches the server again: the next attempt need not wait, once per failure. */
  void serverIsBack(long now) {
    if (failing && !hurried) {
      hurried = true;
      failures = 0;
      due = now;
    }
  }

  /**
   * An attempt has failed.
   *
   * @param asked the wait requested by the API server, if any
   */
  void failed(long now, Optional<Duration> asked) {
    failing = true;
    failures++;
    due = now + BACKOFF.delay(failures, random, asked.orElse(Duration.ZERO)).toNanos();
  }
}
