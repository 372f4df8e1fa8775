package io.probelet.health;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * One statement about an object, and since when it has been so (CH-1).
 *
 * <p>The record takes what others wrote as it is; {@link #update} holds the rules for what we
 * write.
 *
 * @param type what the statement is about, for example {@code EveryNodeReady}; never blank
 * @param status what it says
 * @param lastTransitionTime wall time of the last change of {@code status}
 * @param lastUpdateTime wall time of the last change of status, reason, message or codes
 * @param reason one word in UpperCamelCase for programs; may be empty in what others wrote
 * @param message a sentence for people; may be empty in what others wrote
 * @param codes error codes, each once, in the order they were given
 */
public record Condition(
    String type,
    ConditionStatus status,
    Instant lastTransitionTime,
    Instant lastUpdateTime,
    String reason,
    String message,
    List<String> codes) {

  /** What Kubernetes takes as a reason. */
  private static final int MAX_REASON = 1024;

  /** What Kubernetes takes as a message. */
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
   * {@return a condition nobody has checked yet: Unknown, with the reason ConditionInitialized}
   *
   * @param type what it will be about, never blank
   * @param now the wall time, which both times get
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
   * Says the present state and keeps the books on time.
   *
   * @param newStatus what the condition says now
   * @param newReason one UpperCamelCase word; an empty one becomes {@code Unspecified}
   * @param newMessage a sentence, which becomes one plain line of what Kubernetes takes; an empty
   *     one becomes {@code No message given.}
   * @param newCodes the error codes of now; old ones are never kept
   * @param now the wall time
   * @return this very condition if it says all that already, else the new one
   */
  public Condition update(
      ConditionStatus newStatus,
      String newReason,
      String newMessage,
      List<String> newCodes,
      Instant now) {
    // CH-1: the transition time moves with the status alone, the update time with anything said.
    Condition said =
        new Condition(
            type,
            newStatus,
            newStatus == status ? lastTransitionTime : now,
            now,
            line(newReason, MAX_REASON, "Unspecified"),
            line(newMessage, MAX_MESSAGE, "No message given."),
            newCodes);
    return saysTheSameAs(said) ? this : said;
  }

  /** Logs, errors and what other controllers report are quoted in messages. */
  private static String line(String text, int max, String otherwise) {
    String line = OneLine.of(text, max);
    return line.isEmpty() ? otherwise : line;
  }

  /**
   * {@return whether both say the same, whenever they began to}
   *
   * @param other the condition to compare with
   */
  public boolean saysTheSameAs(Condition other) {
    return type.equals(other.type)
        && status == other.status
        && reason.equals(other.reason)
        && message.equals(other.message)
        && codes.equals(other.codes);
  }
}
