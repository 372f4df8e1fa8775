package io.probelet.agent.config;

import io.probelet.probe.ProbeSpec;
import java.time.Duration;

/**
 * How long a restart waits while the container's own CPU limit throttles it (D-13).
 *
 * @param enabled whether restarts wait at all; false overrules every annotation
 * @param hold the longest wait in total, where a pod says nothing; zero for none, at most {@code
 *     maxHold}
 * @param maxHold the most that a pod may ask for by annotation, at most one hour
 */
public record ThrottleSettings(boolean enabled, Duration hold, Duration maxHold) {
  /** Two minutes; a pod may ask for ten. */
  public static final ThrottleSettings DEFAULT =
      new ThrottleSettings(true, Duration.ofMinutes(2), Duration.ofMinutes(10));

  /** Checks the ranges. */
  public ThrottleSettings {
    if (hold.isNegative()
        || hold.compareTo(maxHold) > 0
        || maxHold.compareTo(ProbeSpec.LONGEST_THROTTLE_HOLD) > 0) {
      throw new IllegalArgumentException(
          "hold must be from 0 to maxHold, and maxHold at most %s: %s, %s"
              .formatted(ProbeSpec.LONGEST_THROTTLE_HOLD, hold, maxHold));
    }
  }
}
