package io.probelet.cli.console;

import io.probelet.health.LineLimit;
import io.probelet.health.RecentMap;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Bounds how many lines are logged about one pod, because its author decides how often something
 * happens to it: 100 at once, then one in 10 s. What is held back is counted and logged with the
 * next line. Safe for use by several threads.
 */
final class PodLogLimit {
  static final int BURST = 100;

  /** The pods that are remembered; of more the one is forgotten that was logged longest ago. */
  static final int MAX_PODS = 2000;

  private static final Duration REFILL = Duration.ofSeconds(10);

  private final RecentMap<String, LineLimit> pods = new RecentMap<>(MAX_PODS);

  /**
   * Asks whether a line may be logged.
   *
   * @return how many lines were held back since the last one; empty if this one is
   */
  synchronized OptionalLong allow(String pod, long nanos) {
    LineLimit known = pods.get(pod);
    LineLimit lines = known == null ? new LineLimit(BURST, REFILL, nanos) : known;
    pods.put(pod, lines);
    return lines.allow(nanos);
  }
}
