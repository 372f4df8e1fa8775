package io.probelet.probe.engine;

import io.probelet.probe.Verdict;
import io.probelet.probe.latency.LatencySketch;
import io.probelet.probe.latency.OutcomeRun.Result;
import io.probelet.probe.latency.ProbeStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records the {@link ProbeStatistics} of one worker. An outcome costs the update of a few numbers.
 * Old latencies fade: all counts are halved once a week, so that the last two weeks count. Memory
 * comes from the {@link StatisticsBudget}. Lives on one loop.
 */
final class StatisticsRecorder {
  /** After this time a latency counts half. */
  static final Duration HALF_LIFE = Duration.ofDays(7);

  /** Of a start that was not observed: an earlier life of the agent may have. */
  static final long NOT_SEEN = -1;

  private final StatisticsBudget.PodShare budget;
  private final boolean tellsStart;

  /** Null until the first outcome, and while the budget has no memory for it. */
  private @Nullable Recorded recorded;

  private @Nullable ProbeStatistics remembered;
  private boolean without;
  private boolean closed;

  /** What there is once memory was taken. */
  private static final class Recorded {
    final OutcomeRuns runs = new OutcomeRuns();
    final Deque<Duration> starts = new ArrayDeque<>(1);
    final long sinceSeconds;
    @Nullable LatencySketch success;
    @Nullable LatencySketch failure;
    long halvedAt;
    String instance = "";
    String startedInstance = "";
    int bytes = OutcomeRuns.MAX_BYTES;

    Recorded(long sinceSeconds, long halvedAt) {
      this.sinceSeconds = sinceSeconds;
      this.halvedAt = halvedAt;
    }
  }

  /**
   * Creates a recorder.
   *
   * @param budget the share of its pod
   * @param remembered what an earlier life of the agent recorded; null for nothing
   * @param tellsStart whether the first success of an instance means that it has started
   */
  StatisticsRecorder(
      StatisticsBudget.PodShare budget, @Nullable ProbeStatistics remembered, boolean tellsStart) {
    this.budget = budget;
    this.remembered = remembered;
    this.tellsStart = tellsStart;
  }

  /**
   * Counts an outcome that decides.
   *
   * @param now its end, by the monotonic clock
   * @param wallSeconds its end, in seconds since 1970
   * @param containerId the instance that was probed
   * @param latencyNanos how long it took
   * @param ranFor how long the instance has been running, in nanoseconds; {@link #NOT_SEEN} if its
   *     start was not observed
   */
  void add(
      long now,
      long wallSeconds,
      String containerId,
      Verdict verdict,
      long latencyNanos,
      long ranFor) {
    Recorded into = recorded == null ? open(now, wallSeconds) : recorded;
    if (into == null) {
      return;
    }
    if (now - into.halvedAt >= HALF_LIFE.toNanos()) {
      halve(into, now);
    }
    boolean newInstance = !into.instance.isEmpty() && !into.instance.equals(containerId);
    into.instance = containerId;
    into.runs.add(result(verdict), newInstance, wallSeconds);
    LatencySketch sketch = verdict.healthy() ? success(into) : failure(into);
    if (sketch != null) {
      sketch.add(latencyNanos);
    }
    if (tellsStart && verdict.healthy() && !into.startedInstance.equals(containerId)) {
      into.startedInstance = containerId;
      if (ranFor != NOT_SEEN) {
        addStart(into, Duration.ofNanos(ranFor));
      }
    }
  }

  private static Result result(Verdict verdict) {
    if (verdict.healthy()) {
      return Result.SUCCESS;
    }
    return verdict instanceof Verdict.Failure failure && failure.cause() == Verdict.Cause.TIMEOUT
        ? Result.TIMEOUT
        : Result.FAILURE;
  }

  private static void addStart(Recorded into, Duration start) {
    if (into.starts.size() == ProbeStatistics.MAX_STARTS) {
      into.starts.removeFirst();
    }
    into.starts.addLast(start);
  }

  private @Nullable LatencySketch success(Recorded into) {
    if (into.success == null && take(into)) {
      into.success = new LatencySketch();
    }
    return into.success;
  }

  private @Nullable LatencySketch failure(Recorded into) {
    if (into.failure == null && take(into)) {
      into.failure = new LatencySketch();
    }
    return into.failure;
  }

  private boolean take(Recorded into) {
    if (!budget.take(LatencySketch.MAX_BYTES)) {
      return false;
    }
    into.bytes += LatencySketch.MAX_BYTES;
    return true;
  }

  private static void halve(Recorded into, long now) {
    if (into.success != null) {
      into.success.halve();
    }
    if (into.failure != null) {
      into.failure.halve();
    }
    into.halvedAt = now;
  }

  /** {@return where to record; null if there is no memory for it} */
  private @Nullable Recorded open(long now, long wallSeconds) {
    if (closed || !budget.take(OutcomeRuns.MAX_BYTES)) {
      count(!closed);
      return null;
    }
    count(false);
    ProbeStatistics before = remembered;
    remembered = null;
    Recorded opened = new Recorded(before == null ? wallSeconds : since(before), now);
    if (before != null) {
      opened.halvedAt = now - Math.max(0, before.halvedAgo().toNanos());
      opened.runs.addAll(before.runs());
      opened.starts.addAll(before.starts());
      if (before.success().count() > 0) {
        merge(success(opened), before.success());
      }
      if (before.failure().count() > 0) {
        merge(failure(opened), before.failure());
      }
    }
    recorded = opened;
    return opened;
  }

  private static long since(ProbeStatistics before) {
    return before.since().getEpochSecond();
  }

  private static void merge(@Nullable LatencySketch into, LatencySketch before) {
    if (into != null) {
      into.merge(before);
    }
  }

  private void count(boolean now) {
    if (now != without) {
      without = now;
      budget.without(now ? 1 : -1);
    }
  }

  /** Forgets all and gives the memory back. */
  void close() {
    if (recorded != null) {
      budget.give(recorded.bytes);
    }
    count(false);
    closed = true;
    recorded = null;
    remembered = null;
  }

  /**
   * {@return what was recorded; null for nothing}
   *
   * @param now by the monotonic clock
   */
  @Nullable ProbeStatistics statistics(long now) {
    Recorded from = recorded;
    if (from == null) {
      return remembered; // nothing was added to it yet
    }
    return new ProbeStatistics(
        copy(from.success),
        copy(from.failure),
        from.runs.all(),
        List.copyOf(from.starts),
        Instant.ofEpochSecond(from.sinceSeconds),
        Duration.ofNanos(Math.max(0, now - from.halvedAt)));
  }

  private static LatencySketch copy(@Nullable LatencySketch sketch) {
    return sketch == null ? new LatencySketch() : sketch.copy();
  }
}
