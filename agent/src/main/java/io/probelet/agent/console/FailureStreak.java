package io.probelet.agent.console;

import io.probelet.health.LineLimit;
import io.probelet.health.RetryBackoff;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides which failures and recoveries of one probe are logged: each failure up to the threshold,
 * then reminders at growing intervals, then the recovery. While a restart is on hold the counter
 * starts at 1 again; that is still the same streak. A probe has a burst of 10 lines, then one line
 * per minute. Not thread-safe.
 *
 * <pre>
 *   failed 1/3  2/3  3/3 ── 1 min ── still failing ── 2 min ── still failing ── 4 min … 1 h
 * </pre>
 */
final class FailureStreak {
  static final int BURST = 10;
  static final Duration REFILL = Duration.ofMinutes(1);

  private static final RetryBackoff REMINDERS =
      RetryBackoff.doubling(Duration.ofMinutes(1), Duration.ofHours(1));

  private final LineLimit lines;
  private String containerId = "";

  /** Since the probe was last logged as well. */
  private long failures;

  /** The threshold was reached and logged for this instance. */
  private boolean decided;

  private Duration wait = Duration.ZERO;
  private long remindedNanos;

  /** A probe that has not failed yet. */
  FailureStreak(long nanos) {
    lines = new LineLimit(BURST, REFILL, nanos);
  }

  /** {@return what to log of a failure; empty for nothing} */
  Optional<String> failed(String id, int consecutive, int threshold, long nanos) {
    if (!containerId.equals(id)) {
      containerId = id;
      decided = false;
    }
    failures++;
    if (!decided) {
      decided = consecutive >= threshold;
      wait = REMINDERS.after(Duration.ZERO);
      remindedNanos = nanos;
      return line("failed " + consecutive + "/" + threshold, nanos);
    }
    if (nanos - remindedNanos < wait.toNanos()) {
      return Optional.empty();
    }
    wait = REMINDERS.after(wait);
    remindedNanos = nanos;
    return line("still failing, " + failures + " failures", nanos);
  }

  /** {@return what to log of a success; empty for nothing} */
  Optional<String> succeeded(int consecutive, int threshold, long nanos) {
    if (failures == 0) {
      return Optional.empty();
    }
    if (consecutive < threshold) {
      return line("ok " + consecutive + "/" + threshold, nanos);
    }
    Optional<String> line =
        line("ok again after " + failures + (failures > 1 ? " failures" : " failure"), nanos);
    if (line.isPresent()) { // else a later success logs it: the last line must not be a failure
      failures = 0;
      decided = false;
    }
    return line;
  }

  private Optional<String> line(String text, long nanos) {
    OptionalLong leftOut = lines.allow(nanos);
    return leftOut.isEmpty() ? Optional.empty() : Optional.of(text + leftOut(leftOut.getAsLong()));
  }

  /** {@return the note about lines left out before this one} */
  static String leftOut(long lines) {
    return lines == 0 ? "" : " (" + lines + " lines left out)";
  }
}
