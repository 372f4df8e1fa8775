package io.probelet.monitor.node;

import io.probelet.health.ConditionStatus;
import io.probelet.monitor.check.NodeCheckResult;
import io.probelet.monitor.rule.Monitor.CheckRule;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of the runs of one check, and when an extra run is due before its interval is over.
 * Immutable.
 *
 * @param run the number of the latest run, 0 before the first
 * @param underWay whether that run has not finished, so that no other may begin (NM-12)
 * @param hanging whether it was reported as hanging
 * @param reported the last reported status, null before the first report
 */
record CheckProgress(
    long run, boolean underWay, boolean hanging, @Nullable ConditionStatus reported) {
  static final CheckProgress NONE = new CheckProgress(0, false, false, null);

  /** Reports are processed slightly later, and the debounce counts from then. */
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

  /** No thread could be created for the run. */
  CheckProgress notBegun() {
    return new CheckProgress(run, false, hanging, reported);
  }

  /** Whether a run that exceeded its timeout has not finished. */
  boolean isLate(long number) {
    return underWay && run == number;
  }

  /** The current run hangs. */
  CheckProgress late(CheckRule rule) {
    return new CheckProgress(
        run, true, true, rule.kind().hangingIsAProblem() ? ConditionStatus.TRUE : reported);
  }

  /** The current run has finished; its result counts unless it was reported as hanging. */
  CheckProgress ended(ConditionStatus found) {
    return new CheckProgress(run, false, false, hanging ? reported : found);
  }

  /** The delay of an extra run after the current one has finished; empty: run at the interval. */
  Optional<Duration> runsAgain(ConditionStatus found, CheckRule rule) {
    if (hanging) { // if hanging is a problem, it holds until another run (NM-12)
      return rule.kind().hangingIsAProblem() ? Optional.of(Duration.ZERO) : Optional.empty();
    }
    // A new status counts if another run confirms it after the debounce (B-2).
    Duration debounce = rule.consequence().threshold().debounce();
    boolean news = found != reported && found != ConditionStatus.UNKNOWN;
    return news && debounce.isPositive() ? Optional.of(debounce.plus(TAKEN_UP)) : Optional.empty();
  }
}
