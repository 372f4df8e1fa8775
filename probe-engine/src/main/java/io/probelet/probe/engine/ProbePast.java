package io.probelet.probe.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a probe in the last 24 hours, from minute counters. Only outcomes that decide count:
 * errors and discarded probes are neither up nor failed. Latencies are exact to 15 percent, counts
 * above 32 to 4 percent; zero is always exact.
 *
 * @param since when the oldest counter that is kept began; null if there is none
 * @param resolution the time that one counter covers: a minute, or more where an agent has many
 *     probes
 * @param shortened whether the agent's limit of memory for history made it keep less than 24 hours
 * @param hour the last hour; null if nothing counted in it
 * @param day the last 24 hours; null if nothing counted in them
 * @param intervals the last 24 hours in at most 144 intervals, oldest first, without those in which
 *     nothing counted; empty if they were not asked for
 * @param step the time that one interval covers
 */
public record ProbePast(
    @Nullable Instant since,
    Duration resolution,
    boolean shortened,
    @Nullable Uptime hour,
    @Nullable Uptime day,
    List<Interval> intervals,
    Duration step) {
  /** Most intervals that a day is told in. */
  public static final int MAX_INTERVALS = 144;

  /** Keeps an unmodifiable copy of the intervals. */
  public ProbePast {
    intervals = List.copyOf(intervals);
  }

  /**
   * How much of some time a probe succeeded.
   *
   * @param percent the mean over its counters of the share of outcomes that succeeded, 0 to 100, so
   *     that a probe with a {@code failingPeriod} does not count failures more often; 100 only
   *     without a failure
   * @param up outcomes that succeeded
   * @param failed outcomes that failed
   */
  public record Uptime(double percent, long up, long failed) {}

  /**
   * One interval.
   *
   * @param start wall time of its begin
   * @param up outcomes that succeeded
   * @param failed outcomes that failed
   * @param p50 median latency, failed outcomes included; of several counters their mean
   * @param p99 latency that 99 percent of outcomes did not exceed; of several counters the largest
   */
  public record Interval(Instant start, long up, long failed, Duration p50, Duration p99) {}
}
