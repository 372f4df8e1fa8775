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

  private final RandomGenerator random;
  private final RetryBackoff backoff;

  /** The longest wait accepted from the server. */
  private final RetryBackoff asked;

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
    this.asked = new RetryBackoff(first, 2, LONGEST, 0.5);
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
    return wanted.isPresent()
        ? asked.delay(failures, random, wanted.get())
        : backoff.delay(failures, random);
  }
}
