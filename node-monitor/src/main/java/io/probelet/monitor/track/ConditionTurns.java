package io.probelet.monitor.track;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * When a condition changed, on the monotonic clock: an age does not jump when the wall clock is
 * set. Immutable.
 *
 * @param status its present status
 * @param since when it took that status
 * @param began when it became True, including what flapping hides, oldest first, at most {@link
 *     #MAX_BEGAN}
 */
public record ConditionTurns(ConditionStatus status, ClockReading since, List<ClockReading> began) {
  /** As many as a history can have. */
  public static final int MAX_BEGAN = ConditionHistory.MAX_CHANGES / 2;

  /** Keeps an unmodifiable copy of the newest. */
  public ConditionTurns {
    began = List.copyOf(began.subList(Math.max(0, began.size() - MAX_BEGAN), began.size()));
  }

  /**
   * Reads them from times on the wall clock, as an earlier process may have left them.
   *
   * @param condition of the tracker
   */
  public static ConditionTurns of(Condition condition, ConditionTracker tracker, ClockReading now) {
    return new ConditionTurns(
        condition.status(),
        now.at(condition.lastTransitionTime()),
        tracker.history().beginnings().stream().map(now::at).toList());
  }

  /**
   * Follows one step of the tracker.
   *
   * @param condition of the tracker after it
   */
  public ConditionTurns follow(
      Condition condition, ConditionTracker before, ConditionTracker after, ClockReading now) {
    List<ClockReading> all = new ArrayList<>(began);
    if (after.history().endsWithBeginning() && !after.history().equals(before.history())) {
      all.add(now);
    }
    return new ConditionTurns(condition.status(), condition.status() == status ? since : now, all);
  }
}
