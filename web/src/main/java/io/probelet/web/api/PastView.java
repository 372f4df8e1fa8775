package io.probelet.web.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.probe.engine.ProbePast;
import io.probelet.probe.engine.ProbePast.Interval;
import io.probelet.probe.engine.ProbePast.Uptime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last 24 hours of a probe as the API shows them.
 *
 * @param since when the oldest minute that is kept began, RFC 3339 in UTC; null if there is none
 * @param resolutionSeconds the time that one counter covers
 * @param shortened whether the agent's limit of memory made it keep less than 24 hours
 * @param hour the last hour; null if no outcome counted in it
 * @param day the last 24 hours; null if no outcome counted in them
 * @param stepSeconds the time that one interval covers
 * @param intervals oldest first, at most 144; without those in which no outcome counted
 */
@JsonPropertyOrder({
  "since",
  "resolutionSeconds",
  "shortened",
  "hour",
  "day",
  "stepSeconds",
  "intervals"
})
public record PastView(
    @Nullable String since,
    long resolutionSeconds,
    boolean shortened,
    @Nullable UptimeView hour,
    @Nullable UptimeView day,
    long stepSeconds,
    @JsonInclude(Include.NON_EMPTY) List<IntervalView> intervals) {
  /** Takes what another agent leaves out for empty. */
  public PastView {
    intervals = JsonDefaults.list(intervals);
  }

  /**
   * How much of some time a probe succeeded.
   *
   * @param uptimePercent rounded down to three decimals, so that 100 is without a failure
   * @param up outcomes that succeeded
   * @param failed outcomes that failed
   */
  @JsonPropertyOrder({"uptimePercent", "up", "failed"})
  public record UptimeView(double uptimePercent, long up, long failed) {}

  /**
   * One interval.
   *
   * @param start RFC 3339 in UTC
   * @param up outcomes that succeeded
   * @param failed outcomes that failed
   * @param p50Ms median latency in milliseconds, failed outcomes included
   * @param p99Ms latency that 99 percent of outcomes did not exceed, in milliseconds
   */
  @JsonPropertyOrder({"start", "up", "failed", "p50Ms", "p99Ms"})
  public record IntervalView(String start, long up, long failed, double p50Ms, double p99Ms) {
    /** Takes what another agent leaves out for empty. */
    public IntervalView {
      start = JsonDefaults.text(start);
    }
  }

  static PastView of(ProbePast past) {
    return new PastView(
        past.since() == null ? null : Rfc3339.text(past.since()),
        past.resolution().toSeconds(),
        past.shortened(),
        uptime(past.hour()),
        uptime(past.day()),
        past.step().toSeconds(),
        past.intervals().stream().map(PastView::interval).toList());
  }

  private static @Nullable UptimeView uptime(@Nullable Uptime uptime) {
    return uptime == null
        ? null
        : new UptimeView(
            Math.floor(uptime.percent() * 1_000) / 1_000, uptime.up(), uptime.failed());
  }

  private static IntervalView interval(Interval interval) {
    return new IntervalView(
        Rfc3339.text(interval.start()),
        interval.up(),
        interval.failed(),
        ContainerView.millis(interval.p50()),
        ContainerView.millis(interval.p99()));
  }
}
