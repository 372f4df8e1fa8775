package io.probelet.kube.watch;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How long a watch waits for an API server that does not answer. A server that starts accepts
 * connections seconds before it answers, and then all of its clients at once. The agents of all
 * nodes therefore leave the attempts to their heartbeats, and return at random moments:
 *
 * <pre>
 * unreachable for      own attempts        once others are answered
 * less than 2 s        by the back-off     at once: a connection was lost
 * 2 s or more          every 60 to 120 s   after 10 to 70 s: it first fills its caches
 * </pre>
 *
 * Times are nanoseconds of the monotonic clock. Not thread-safe.
 */
final class ReturnSpread {
  /** For a process of which a cluster has a few. */
  static final Duration NONE = Duration.ZERO;

  /** For a process on each node. */
  static final Duration OF_NODES = Duration.ofMinutes(1);

  /** A server that was unreachable for less was not restarted. */
  private static final Duration BLIP = Duration.ofSeconds(2);

  /** Until its caches are filled, a server rejects watches. */
  private static final Duration FILLING = Duration.ofSeconds(10);

  private final Duration spread;
  private final RandomGenerator random;
  private @Nullable Long since;
  private boolean away;

  /**
   * Creates one for a reachable server.
   *
   * @param spread the time over which the watches of a cluster return; zero or more
   */
  ReturnSpread(Duration spread, RandomGenerator random) {
    this.spread = spread;
    this.random = random;
  }

  /** Records that the server answers. */
  void succeeded() {
    since = null;
    away = false;
  }

  /** Records that it does not answer; returns the wait from the moment when it does again. */
  Duration failed(long now) {
    if (since == null) {
      since = now;
    }
    away = !spread.isZero() && now - since >= BLIP.toNanos();
    return away ? FILLING.plus(part()) : Duration.ZERO;
  }

  /** {@return whether the server has been away for so long that all clients wait for it} */
  boolean isAway() {
    return away;
  }

  /** {@return the wait until the own next attempt, at least the back-off's} */
  Duration own(Duration backoff) {
    Duration wait = away ? spread.plus(part()) : backoff;
    return wait.compareTo(backoff) < 0 ? backoff : wait;
  }

  private Duration part() {
    return Duration.ofNanos(random.nextLong(spread.toNanos()));
  }
}
