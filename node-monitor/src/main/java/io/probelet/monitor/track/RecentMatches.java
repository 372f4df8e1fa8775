package io.probelet.monitor.track;

import io.probelet.monitor.rule.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The newest matches of a rule, or of one device of it: oldest first, no more than it takes (B-2).
 *
 * @param times when they were
 */
record RecentMatches(List<ClockReading> times) {
  static final RecentMatches NONE = new RecentMatches(List.of());

  RecentMatches {
    times = List.copyOf(times);
  }

  /** One more, and of those before as many as are within the window, counted back from it. */
  RecentMatches with(ClockReading now, Patience patience) {
    List<ClockReading> recent = new ArrayList<>();
    for (ClockReading match : times) {
      if (now.since(match).compareTo(patience.window()) <= 0) {
        recent.add(match);
      }
    }
    recent.add(now);
    int tooMany = Math.max(0, recent.size() - patience.minCount());
    return new RecentMatches(recent.subList(tooMany, recent.size()));
  }

  boolean areEnough(Patience patience) {
    return times.size() >= patience.minCount();
  }

  /** Whether none of them would be counted by the next. */
  boolean areOver(Duration window, ClockReading now) {
    return times.isEmpty() || now.since(times.getLast()).compareTo(window) > 0;
  }
}
