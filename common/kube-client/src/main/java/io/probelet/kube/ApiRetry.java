package io.probelet.kube;

import io.probelet.health.RetryBackoff;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The back-off for requests to the API server. Waits double with each consecutive failure. A random
 * half of each wait prevents all agents of a cluster from retrying at once:
 *
 * <pre>
 * failure    1          2          3        …   from the 7th
 * wait    0.5–1 s     1–2 s      2–4 s           30–60 s
 * </pre>
 */
public final class ApiRetry {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(60);

  /** This share of our own wait is added to a requested wait, to spread it too. */
  private static final int PART_OF_OWN = 10;

  private final RandomGenerator random;
  private final RetryBackoff backoff;
  private int failures;

  /** Creates one without failures. */
  public ApiRetry(RandomGenerator random) {
    this(random, FIRST, LONGEST);
  }

  /**
   * Creates one without failures.
   *
   * @param first the wait after the first failure, above zero
   */
  public ApiRetry(RandomGenerator random, Duration first) {
    this(random, first, LONGEST);
  }

  /**
   * Creates one without failures.
   *
   * @param first the wait after the first failure, above zero
   * @param longest the longest wait, unless the server requests a longer one; above zero
   */
  public ApiRetry(RandomGenerator random, Duration first, Duration longest) {
    this.random = random;
    this.backoff = new RetryBackoff(first, 2, longest, 0.5);
  }

  /** Forgets the failures. */
  public void succeeded() {
    failures = 0;
  }

  /**
   * Records a failure.
   *
   * @param wanted the wait requested by the server; at most a minute counts
   */
  public Duration failed(Optional<Duration> wanted) {
    failures++;
    Duration own = backoff.delay(failures, random);
    Duration asked = wanted.orElse(Duration.ZERO);
    if (asked.compareTo(LONGEST) > 0) {
      asked = LONGEST;
    }
    return asked.compareTo(own) > 0 ? asked.plus(own.dividedBy(PART_OF_OWN)) : own;
  }
}
