package io.probelet.probe.latency;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What one probe has seen of its target, over an agent's restarts. Errors and discarded probes do
 * not count, as they say nothing of the target.
 *
 * @param success how long successful probes took
 * @param failure how long failed probes took
 * @param runs the newest outcomes, oldest first, at most {@value #MAX_RUNS} runs
 * @param starts the time that the newest instances took from their start to the first success,
 *     exact to the probe's period; at most {@value #MAX_STARTS}; empty for a probe that does not
 *     tell when a container has started
 * @param since wall time of the first outcome
 * @param halvedAgo how long ago all counts were halved, or the first outcome came
 */
public record ProbeStatistics(
    LatencySketch success,
    LatencySketch failure,
    List<OutcomeRun> runs,
    List<Duration> starts,
    Instant since,
    Duration halvedAgo) {
  /** Most runs of equal outcomes. */
  public static final int MAX_RUNS = 32;

  /** Most start-up times. */
  public static final int MAX_STARTS = 16;

  /** Rejects more than the limits, and keeps unmodifiable copies. */
  public ProbeStatistics {
    require(runs.size() <= MAX_RUNS, "at most " + MAX_RUNS + " runs", runs.size());
    require(starts.size() <= MAX_STARTS, "at most " + MAX_STARTS + " starts", starts.size());
    runs = List.copyOf(runs);
    starts = List.copyOf(starts);
  }

  private static void require(boolean holds, String rule, int found) {
    if (!holds) {
      throw new IllegalArgumentException(rule + ", found " + found);
    }
  }
}
