package io.probelet.simulation.rules;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** What ought to have happened, and since when it is due. */
final class Overdue {
  private final Map<String, Long> since = new HashMap<>();
  private final Map<String, Duration> due = new HashMap<>();

  /** Forgets since when anything is due. */
  void clear() {
    since.clear();
  }

  /**
   * Notes what is due now.
   *
   * @param what in words; the same as long as it is due
   * @param within how long it may take
   */
  void note(String what, Duration within) {
    due.put(what, within);
  }

  /** Checks all that was noted since the last time; what was not is no longer due. */
  void check(Rule rule, long at, Findings findings) {
    since.keySet().retainAll(due.keySet());
    due.forEach((what, within) -> {
      long begin = since.computeIfAbsent(what, _ -> at);
      findings.check(
          rule,
          at,
          at - begin <= within.toNanos(),
          () -> "%s, for %d s".formatted(what, Duration.ofNanos(at - begin).toSeconds()));
    });
    due.clear();
  }
}
