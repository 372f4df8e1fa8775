package io.probelet.monitor.track;

import io.probelet.health.ConditionStatus;
import io.probelet.health.ShortText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What was found about a condition lately, whether it was said or hidden by flapping (B-18). A
 * value: what it becomes is a new one.
 *
 * @param changes oldest first, at most {@link #MAX_CHANGES}; what differs from the one before by
 *     status or reason
 */
public record ConditionHistory(List<PastStatus> changes) {
  /** The changes that are kept; older ones are forgotten. */
  public static final int MAX_CHANGES = 60;

  /** Nothing has been found yet. */
  public static final ConditionHistory NONE = new ConditionHistory(List.of());

  /**
   * What was found from some moment on.
   *
   * @param at when it began, on the wall clock
   * @param reason one word for programs
   */
  public record PastStatus(Instant at, ConditionStatus status, String reason, String message) {
    /** What is kept of each message. */
    public static final int MAX_MESSAGE_CHARS = 256;

    /** Cuts the message. */
    public PastStatus {
      message = ShortText.beginning(message, MAX_MESSAGE_CHARS);
    }

    private boolean says(ConditionStatus other, String why) {
      return status == other && reason.equals(why);
    }
  }

  /** Keeps an unmodifiable copy of the newest. */
  public ConditionHistory {
    changes =
        List.copyOf(changes.subList(Math.max(0, changes.size() - MAX_CHANGES), changes.size()));
  }

  /** Goes on with what is found now, if that is another thing than before. */
  ConditionHistory with(ConditionStatus status, String reason, String message, Instant at) {
    if (!changes.isEmpty() && changes.getLast().says(status, reason)) {
      return this;
    }
    List<PastStatus> next = new ArrayList<>(changes);
    next.add(new PastStatus(at, status, reason, message));
    return new ConditionHistory(next);
  }

  /**
   * {@return how often the status changed from some moment on; if all that is kept is of that time,
   * it may have been more often}
   *
   * @param from on the wall clock
   */
  public int changesSince(Instant from) {
    int count = 0;
    for (int i = 1; i < changes.size(); i++) {
      PastStatus change = changes.get(i);
      if (!change.at().isBefore(from) && change.status() != changes.get(i - 1).status()) {
        count++;
      }
    }
    return count;
  }
}
