package io.probelet.kube.election;

import java.time.Duration;

/**
 * How an election is timed.
 *
 * <pre>
 * renewed            may not act any more       another may take over
 *    |--- deadline -----------|                         |
 *    |--- lease ----------------------------------------|
 *    |- retry -|- retry -|- …
 * </pre>
 *
 * <p>What lies between deadline and lease is for requests that are under way when the deadline
 * passes; none may take longer.
 *
 * @param lease how long others wait without seeing a renewal
 * @param deadline how long the leader acts after it asked for its last renewal
 * @param retry how long between two attempts
 */
public record ElectionTiming(Duration lease, Duration deadline, Duration retry) {
  /** As Kubernetes' own controllers have it. */
  public static final ElectionTiming DEFAULT =
      new ElectionTiming(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

  /** Checks that each is shorter than the one before. */
  public ElectionTiming {
    if (!retry.isPositive() || retry.compareTo(deadline) >= 0 || deadline.compareTo(lease) >= 0) {
      throw new IllegalArgumentException(
          "lease %s, deadline %s, retry %s: each must be shorter than the one before"
              .formatted(lease, deadline, retry));
    }
  }

  /**
   * {@return how long a request of the leader's may take: less than others wait after its last sign
   * of life}
   */
  public Duration requestTimeout() {
    return lease.minus(deadline);
  }

  /** How long a request of the election itself may take. */
  Duration timeout() {
    Duration spare = requestTimeout();
    return spare.compareTo(retry) < 0 ? spare : retry;
  }
}
