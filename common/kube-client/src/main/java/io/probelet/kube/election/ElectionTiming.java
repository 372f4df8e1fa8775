package io.probelet.kube.election;

import java.time.Duration;

/**
 * The timing of an election.
 *
 * <pre>
 * renewed            may not act any more       another may take over
 *    |--- deadline -----------|                         |
 *    |--- lease ----------------------------------------|
 *    |- retry -|- retry -|- …
 * </pre>
 *
 * <p>The time between deadline and lease is for requests that are running at the deadline; none may
 * take longer.
 *
 * @param lease how long other candidates wait without a renewal
 * @param deadline how long the leader acts after requesting its last renewal
 * @param retry the time between attempts
 */
public record ElectionTiming(Duration lease, Duration deadline, Duration retry) {
  /** The defaults of Kubernetes' own controllers. */
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
   * {@return the timeout of the leader's requests: less than others wait after its last renewal}
   */
  public Duration requestTimeout() {
    return lease.minus(deadline);
  }

  /** The timeout of the election's own requests. */
  Duration timeout() {
    Duration spare = requestTimeout();
    return spare.compareTo(retry) < 0 ? spare : retry;
  }
}
