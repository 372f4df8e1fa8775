package io.probelet.agent.config;

import java.time.Duration;

/**
 * When the mass-failure guard holds restarts, and for how long.
 *
 * @param enabled whether it does so at all
 * @param percent of a namespace's probed containers: more than these must turn unhealthy, 1 to 99;
 *     of the namespaces, too, before it is the node
 * @param least at least so many containers must, 1 or more
 * @param window within this time
 * @param hold the longest that restarts are held
 */
public record GuardSettings(
    boolean enabled, int percent, int least, Duration window, Duration hold) {
  /** More than half, and at least 5, within a minute; held for two. */
  public static final GuardSettings DEFAULT =
      new GuardSettings(true, 50, 5, Duration.ofMinutes(1), Duration.ofMinutes(2));

  /** Rejects what would hold always or never. */
  public GuardSettings {
    if (percent < 1 || percent > 99 || least < 1 || !window.isPositive() || !hold.isPositive()) {
      throw new IllegalArgumentException(
          "the guard needs 1 to 99 percent, at least 1 container and times above zero: %d, %d, %s, %s"
              .formatted(percent, least, window, hold));
    }
  }
}
