package io.probelet.runtime.process;

import io.probelet.health.RetryBackoff;
import java.time.Duration;

/**
 * How long a container that ended waits before it is started again (D-3).
 *
 * <pre>
 *  runs   runs      runs            runs
 *  ──x────x         ──x             ──x        x = ended
 *     └ at once       └ 10 s … ─────┘ └ 20 s … and so on up to 300 s
 * </pre>
 *
 * A container that ran for {@code resetAfter} before it ended begins anew: at once, then 10 s.
 *
 * @param delays the second restart's delay and how it grows; the first has none
 * @param resetAfter how long an instance must have run for its end to count as the first
 */
public record BackOff(RetryBackoff delays, Duration resetAfter) {
  /** The kubelet's: 10 s, 20 s, 40 s … 300 s, reset after 10 minutes. */
  public static final BackOff KUBELET =
      new BackOff(
          RetryBackoff.doubling(Duration.ofSeconds(10), Duration.ofMinutes(5)),
          Duration.ofMinutes(10));

  /**
   * Checks the reset.
   *
   * @throws IllegalArgumentException if it is zero or negative
   */
  public BackOff {
    if (!resetAfter.isPositive()) {
      throw new IllegalArgumentException(
          "the reset of the back-off must be longer than " + resetAfter);
    }
  }

  /** {@return the delay before the restart that follows another} */
  public Duration after(Duration previous) {
    return delays.after(previous);
  }
}
