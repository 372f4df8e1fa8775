package io.probelet.monitor.track;

import io.probelet.health.ConditionStatus;
import io.probelet.health.ShortText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The recent changes of a condition, including those hidden by flapping (B-18). Immutable.
 *
 * @param changes oldest first, at most {@link #MAX_CHANGES}; each differs from the previous one by
 *     status or reason
 */
public record ConditionHistory(List<PastStatus> changes) {
  /** The most changes kept; older ones are dropped. */
  public static final int MAX_CHANGES = 60;

  /** The empty history. */
  public static final ConditionHistory NONE = new ConditionHistory(List.of());

  /**
   * A change.
   *
   * @param at when it began, on the wall clock
   * @param reason the reason in UpperCamelCase
   */
  public record PastStatus(Instant at, ConditionStatus status, String reason, String message) {
    /** The most characters kept per message. */
    public static final int MAX_MESSAGE_CHARS = 256;

    /** Truncates the message. */
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

  /** Adds the current state, if it differs from the last one. */
  ConditionHistory with(ConditionStatus status, String reason, String message, Instant at) {
    if (!changes.isEmpty() && changes.getLast().says(status, reason)) {
      return this;
    }
    List<PastStatus> next = new ArrayList<>(changes);
    next.add(new PastStatus(at, status, reason, message));
    return new ConditionHistory(next);
  }

  /** When the kept changes made the status True, oldest first, on the wall clock. */
  List<Instant> beginnings() {
    return IntStream.range(0, changes.size())
        .filter(this::isBeginning)
        .mapToObj(index -> changes.get(index).at())
        .toList();
  }

  /** Whether the last change made the status True. */
  boolean endsWithBeginning() {
    return !changes.isEmpty() && isBeginning(changes.size() - 1);
  }

  private boolean isBeginning(int index) {
    return changes.get(index).status() == ConditionStatus.TRUE
        && (index == 0 || changes.get(index - 1).status() != ConditionStatus.TRUE);
  }

  /**
   * {@return how often the status changed since a moment; a lower bound if all kept changes are
   * newer}
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
