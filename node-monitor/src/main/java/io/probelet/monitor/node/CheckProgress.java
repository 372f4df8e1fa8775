package io.probelet.monitor.node;

import io.probelet.health.ConditionStatus;
import io.probelet.monitor.check.NodeCheckResult;
import io.probelet.monitor.rule.Monitor.CheckRule;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How far the runs of one check have come, and when the next is due before its interval is over. A
 * value: what it becomes is a new one.
 *
 * @param run the number of the run that was begun last, 0 before the first
 * @param underWay whether that has not come back, so that no other may begin (NM-12)
 * @param hanging whether it was reported to hang
 * @param reported what was reported of the check last, null before the first report
 */
record CheckProgress(
    long run, boolean underWay, boolean hanging, @Nullable ConditionStatus reported) {
  static final CheckProgress NONE = new CheckProgress(0, false, false, null);

  /** What was reported may be taken up a little later, and its debounce counts from then. */
  private static final Duration TAKEN_UP = Duration.ofMillis(500);

  /** True if something is wrong, False if nothing is. */
  static ConditionStatus status(NodeCheckResult result) {
    return switch (result) {
      case NodeCheckResult.Ok() -> ConditionStatus.FALSE;
      case NodeCheckResult.Problem _ -> ConditionStatus.TRUE;
      case NodeCheckResult.Devices(_, String problem, _) ->
          problem.isEmpty() ? ConditionStatus.FALSE : ConditionStatus.TRUE;
      case NodeCheckResult.Unknown _, NodeCheckResult.Unavailable _ -> ConditionStatus.UNKNOWN;
    };
  }

  CheckProgress begun() {
    return new CheckProgress(run + 1, true, hanging, reported);
  }

  /** There was no thread for it. */
  CheckProgress notBegun() {
    return new CheckProgress(run, false, hanging, reported);
  }

  /** Whether a run whose time is over has not come back. */
  boolean isLate(long number) {
    return underWay && run == number;
  }

  /** The run under way hangs. */
  CheckProgress late(CheckRule rule) {
    return new CheckProgress(
        run, true, true, rule.kind().hangingIsAProblem() ? ConditionStatus.TRUE : reported);
  }

  /** The run under way came back; what it found counts unless it was reported to hang. */
  CheckProgress ended(ConditionStatus found) {
    return new CheckProgress(run, false, false, hanging ? reported : found);
  }

  /** After how long to run again once the run under way has come back; empty: at the interval. */
  Optional<Duration> runsAgain(ConditionStatus found, CheckRule rule) {
    if (hanging) { // where that is a problem, it holds until another run (NM-12)
      return rule.kind().hangingIsAProblem() ? Optional.of(Duration.ZERO) : Optional.empty();
    }
    // What is new counts if it is still so after its debounce, and another run has to say so (B-2).
    Duration debounce = rule.consequence().patience().debounce();
    boolean news = found != reported && found != ConditionStatus.UNKNOWN;
    return news && debounce.isPositive() ? Optional.of(debounce.plus(TAKEN_UP)) : Optional.empty();
  }
}
