package io.probelet.agent.cluster.restart;

import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.CpuQuota;
import java.util.Optional;

/**
 * How much a container's own CPU limit slowed it down while its probe failed (D-13).
 *
 * @param limitMillis the limit in thousandths of a core
 * @param percent of the periods in which the container wanted to run
 */
record Throttling(long limitMillis, int percent) {
  /** Half a second of the usual periods: fewer say nothing, and a hang that idles has none. */
  private static final int FEWEST_PERIODS = 5;

  private static final int MOST = 50;
  private static final int ALL = 100;

  /**
   * {@return what the limit did between two readings; empty unless it throttled in most periods}
   */
  static Optional<Throttling> between(ContainerEvidence first, ContainerEvidence later) {
    CpuQuota before = first.quota();
    CpuQuota now = later.quota();
    if (before == null || now == null) {
      return Optional.empty();
    }
    CpuQuota window = now.since(before);
    if (window.periods() < FEWEST_PERIODS) {
      return Optional.empty();
    }
    long percent = Math.clamp(window.throttledPeriods() * ALL / window.periods(), 0, ALL);
    return percent < MOST
        ? Optional.empty()
        : Optional.of(new Throttling(window.limitMillis(), (int) percent));
  }

  /** {@return the fact, for people: a clause without a full stop} */
  String text() {
    return "its CPU limit of %dm throttled it %d %% of the time while the probe failed"
        .formatted(limitMillis, percent);
  }
}
