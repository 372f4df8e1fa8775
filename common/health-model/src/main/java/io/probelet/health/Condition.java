package io.probelet.health;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * A condition of an object (CH-1).
 *
 * <p>The record accepts what others wrote unchanged; {@link #update} enforces the rules for our own
 * writes.
 *
 * @param type the type, for example {@code EveryNodeReady}; never blank
 * @param status the status
 * @param lastTransitionTime wall time of the last change of {@code status}
 * @param lastUpdateTime wall time of the last change of status, reason, message or codes
 * @param reason the reason in UpperCamelCase; may be empty if others wrote it
 * @param message a message for people; may be empty if others wrote it
 * @param codes error codes, each once, in their original order
 */
public record Condition(
    String type,
    ConditionStatus status,
    Instant lastTransitionTime,
    Instant lastUpdateTime,
    String reason,
    String message,
    List<String> codes) {

  /** The limit of Kubernetes for a reason. */
  private static final int MAX_REASON = 1024;

  /** The limit of Kubernetes for a message. */
  private static final int MAX_MESSAGE = 32_768;

  private static final String NOT_CHECKED_YET = "ConditionInitialized";

  /**
   * Checks the type and drops repeated codes.
   *
   * @throws IllegalArgumentException if {@code type} is blank
   */
  public Condition {
    if (type.isBlank()) {
      throw new IllegalArgumentException("a condition needs a type, for example EveryNodeReady");
    }
    codes = List.copyOf(new LinkedHashSet<>(codes));
  }

  /**
   * {@return a condition before the first check: Unknown, with the reason ConditionInitialized}
   *
   * @param type the type, never blank
   * @param now the wall time, used for both times
   */
  public static Condition initial(String type, Instant now) {
    return new Condition(
        type,
        ConditionStatus.UNKNOWN,
        now,
        now,
        NOT_CHECKED_YET,
        "Nothing has been checked yet.",
        List.of());
  }

  /**
   * Updates the condition and its times.
   *
   * @param newStatus the new status
   * @param newReason the new reason in UpperCamelCase; an empty one becomes {@code Unspecified}
   * @param newMessage the new message, converted to one line within the limit of Kubernetes; an
   *     empty one becomes {@code No message given.}
   * @param newCodes the new error codes, which replace the old ones
   * @param now the wall time
   * @return this condition if nothing changed, else the new one
   */
  public Condition update(
      ConditionStatus newStatus,
      String newReason,
      String newMessage,
      List<String> newCodes,
      Instant now) {
    // CH-1: the transition time changes with the status only, the update time with any field.
    Condition updated =
        new Condition(
            type,
            newStatus,
            newStatus == status ? lastTransitionTime : now,
            now,
            line(newReason, MAX_REASON, "Unspecified"),
            line(newMessage, MAX_MESSAGE, "No message given."),
            newCodes);
    return equalsIgnoringTimes(updated) ? this : updated;
  }

  /** Messages quote logs, errors and reports of other controllers. */
  private static String line(String text, int max, String otherwise) {
    String line = OneLine.of(text, max);
    return line.isEmpty() ? otherwise : line;
  }

  /**
   * {@return whether both are equal apart from their times}
   *
   * @param other the condition to compare with
   */
  public boolean equalsIgnoringTimes(Condition other) {
    return type.equals(other.type)
        && status == other.status
        && reason.equals(other.reason)
        && message.equals(other.message)
        && codes.equals(other.codes);
  }
}
