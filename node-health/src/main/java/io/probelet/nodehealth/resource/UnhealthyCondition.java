package io.probelet.nodehealth.resource;

import java.time.Duration;
import java.util.List;

/**
 * A node condition that makes its node unhealthy when it has lasted.
 *
 * @param type the node condition's type
 * @param status the status to watch for, usually True, False or Unknown
 * @param duration how long it must have lasted, zero or more
 */
public record UnhealthyCondition(String type, String status, Duration duration) {
  /** What holds when a resource names none (NHC-1). */
  public static final List<UnhealthyCondition> DEFAULTS =
      List.of(
          new UnhealthyCondition("Ready", "False", Duration.ofMinutes(5)),
          new UnhealthyCondition("Ready", "Unknown", Duration.ofMinutes(5)));
}
