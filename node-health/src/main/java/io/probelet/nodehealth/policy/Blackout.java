package io.probelet.nodehealth.policy;

import java.time.Instant;

/**
 * A time range in which no remediation may start (ACT-73, MW-1).
 *
 * @param from its first moment
 * @param until the first moment after it, later than {@code from}
 */
public record Blackout(Instant from, Instant until) {
  /** {@return whether it is active} */
  public boolean isOnAt(Instant now) {
    return !now.isBefore(from) && now.isBefore(until);
  }
}
