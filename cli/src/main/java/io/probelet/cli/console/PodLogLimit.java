package io.probelet.cli.console;

import io.probelet.health.LineLimit;
import io.probelet.health.RecentMap;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Limits the log lines about one pod, whose author may cause any number: 100 at once, then one
 * every 10 s. Suppressed lines are counted, and the count is logged with the next line. Safe for
 * use by several threads.
 */
final class PodLogLimit {
  static final int BURST = 100;

  /** Pods that are tracked; beyond that the least recently logged one is dropped. */
  static final int MAX_PODS = 2000;

  private static final Duration REFILL = Duration.ofSeconds(10);

  private final RecentMap<String, LineLimit> pods = new RecentMap<>(MAX_PODS);

  /**
   * Asks whether a line may be logged.
   *
   * @return the number of lines suppressed since the last one; empty if this one is suppressed
   */
  synchronized OptionalLong allow(String pod, long nanos) {
    LineLimit known = pods.get(pod);
    LineLimit lines = known == null ? new LineLimit(BURST, REFILL, nanos) : known;
    pods.put(pod, lines);
    return lines.allow(nanos);
  }
}
