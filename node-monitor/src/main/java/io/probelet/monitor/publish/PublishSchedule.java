package io.probelet.monitor.publish;

import io.probelet.health.RetryBackoff;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Decides when the Node is written to (B-8). Times are nanoseconds of the monotonic clock; not safe
 * for use by several threads.
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

  /** The agents of a cluster shall not come back all at once. */
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
   * Creates a schedule by which nothing has been written yet.
   *
   * @param heartbeat how long after a write the next is due although nothing is new
   * @param random spreads what the agents of a cluster do after a failure
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

  /** There is something to write; while the API server refuses, it waits for the next attempt. */
  void changed(long now) {
    if (!failing) {
      due = Math.min(due - now, COALESCE.toNanos()) + now;
    }
  }

  /** Something says the same in other words, which can wait for a minute since the last write. */
  void reworded(long now) {
    if (!failing) {
      due = Math.min(due - now, untilReworded(now)) + now;
    }
  }

  private long untilReworded(long now) {
    long soon = COALESCE.toNanos();
    return written ? Math.max(soon, lastWrite + REWORD.toNanos() - now) : soon;
  }

  /** An attempt has succeeded, with all that had changed before it. */
  void succeeded(long now) {
    failures = 0;
    failing = false;
    hurried = false;
    written = true;
    lastWrite = now;
    due = now + heartbeat.toNanos();
  }

  /** Another reaches the server again: the next attempt need not wait, but that helps only once. */
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
   * @param asked how long the API server wants to be left alone, if it said so
   */
  void failed(long now, Optional<Duration> asked) {
    failing = true;
    failures++;
    due = now + BACKOFF.delay(failures, random, asked.orElse(Duration.ZERO)).toNanos();
  }
}
