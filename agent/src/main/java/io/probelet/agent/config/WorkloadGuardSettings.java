package io.probelet.agent.config;

import java.time.Duration;

/**
 * When restarts of one workload on many nodes are held (D-8), or its readiness gates kept True
 * (D-22), and for how long.
 *
 * @param enabled whether they are at all
 * @param percent of the replicas that may restart at once, rounded down, 1 to 99; one always may
 * @param maxHold the longest that one container is held, above zero and at most an hour
 * @param window the longest that a restart counts as one, above zero and at most ten minutes
 */
public record WorkloadGuardSettings(
    boolean enabled, int percent, Duration maxHold, Duration window) {
  /** The longest hold there may be. */
  static final Duration MAX_HOLD = Duration.ofHours(1);

  /** Less than the time after which the leader removes what an agent has left behind. */
  static final Duration MAX_WINDOW = Duration.ofMinutes(10);

  /** Off; a third, for five minutes. */
  public static final WorkloadGuardSettings DEFAULT =
      new WorkloadGuardSettings(false, 34, Duration.ofMinutes(5), Duration.ofMinutes(5));

  /** Of the readiness budget (D-22): off; half, for five minutes. */
  public static final WorkloadGuardSettings READINESS =
      new WorkloadGuardSettings(false, 50, Duration.ofMinutes(5), Duration.ofMinutes(5));

  /** Rejects what would hold always or never. */
  public WorkloadGuardSettings {
    if (percent < 1 || percent > 99 || !isIn(maxHold, MAX_HOLD) || !isIn(window, MAX_WINDOW)) {
      throw new IllegalArgumentException(
          "the guard of workloads needs 1 to 99 percent, a hold up to %s and a window up to %s: %d, %s, %s"
              .formatted(MAX_HOLD, MAX_WINDOW, percent, maxHold, window));
    }
  }

  private static boolean isIn(Duration time, Duration most) {
    return time.isPositive() && time.compareTo(most) <= 0;
  }
}
