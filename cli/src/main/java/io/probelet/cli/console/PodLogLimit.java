package io.probelet.cli.console;

import io.probelet.health.LineLimit;
import io.probelet.health.RecentMap;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Limits the log lines about one pod, because its author controls how often they occur: a burst of
 * 100, then one per 10 s. Suppressed lines are counted and reported with the next line.
 * Thread-safe.
 */
final class PodLogLimit {
  static final int BURST = 100;

  /** Pods tracked; beyond that the least recently logged one is forgotten. */
  static final int MAX_PODS = 2000;

  private static final Duration REFILL = Duration.ofSeconds(10);

  private final RecentMap<String, LineLimit> pods = new RecentMap<>(MAX_PODS);

  /**
   * Asks whether a line may be logged.
   *
   * @return the number of lines suppressed since the last one; empty if this line is suppressed
   */
  synchronized OptionalLong allow(String pod, long nanos) {
    LineLimit known = pods.get(pod);
    LineLimit lines = known == null ? new LineLimit(BURST, REFILL, nanos) : known;
    pods.put(pod, lines);
    return lines.allow(nanos);
  }
}
