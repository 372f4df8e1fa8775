package io.probelet.agent.config;

import java.time.Duration;
import java.util.Set;

/**
 * When the mass-failure guard holds restarts, and for how long.
 *
 * @param enabled whether it does so at all
 * @param percent of a namespace's probed containers: more than these must turn unhealthy, 1 to 99;
 *     of the namespaces, too, before it is the node
 * @param least at least so many containers must, 1 or more
 * @param window within this time
 * @param hold the longest that restarts are held
 * @param conditions node condition types that also put restarts on hold (MW-13)
 */
public record GuardSettings(
    boolean enabled,
    int percent,
    int least,
    Duration window,
    Duration hold,
    Set<String> conditions) {
  /** The most conditions. */
  public static final int MAX_CONDITIONS = 32;

  /** More than half, and at least 5, within a minute; held for two. */
  public static final GuardSettings DEFAULT =
      new GuardSettings(true, 50, 5, Duration.ofMinutes(1), Duration.ofMinutes(2));

  /** Rejects what would hold always or never. */
  public GuardSettings {
    conditions = Set.copyOf(conditions);
    if (percent < 1 || percent > 99 || least < 1 || !window.isPositive() || !hold.isPositive()) {
      throw new IllegalArgumentException(
          "the guard needs 1 to 99 percent, at least 1 container and times above zero: %d, %d, %s, %s"
              .formatted(percent, least, window, hold));
    }
  }

  /**
   * A guard that holds restarts for no condition of the node.
   *
   * @param enabled whether it does so at all
   * @param percent 1 to 99
   * @param least 1 or more
   * @param hold the longest that restarts are held
   */
  public GuardSettings(boolean enabled, int percent, int least, Duration window, Duration hold) {
    this(enabled, percent, least, window, hold, Set.of());
  }
}
