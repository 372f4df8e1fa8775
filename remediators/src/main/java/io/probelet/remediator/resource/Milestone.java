package io.probelet.remediator.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * ACT-45: what a remediation has done within its phase, so that a controller that starts in the
 * middle does nothing twice. Deciders read this and never the message, which is for people.
 *
 * @param reached the last step that must not be repeated
 * @param calls how many calls to the endpoint have begun, 0 to {@value #MAX_CALLS}
 * @param holdReason why it may not begin yet, one word in UpperCamelCase; empty unless it is held
 */
public record Milestone(Reached reached, int calls, String holdReason) {
  private static final Pattern REASON =
      Pattern.compile("[A-Za-z]{1,64}"); // before NONE, which it checks

  /** Nothing that must not be repeated. */
  public static final Milestone NONE = new Milestone(Reached.NONE, 0, "");

  /** The most calls that are counted. */
  public static final int MAX_CALLS = 999_999;

  /** A step that must not be repeated. */
  public enum Reached {
    /** No such step. */
    NONE("None"),
    /**
     * The node got its order. An order that is missing now was deleted; it is not created again.
     */
    ORDER_PLACED("OrderPlaced"),
    /** The Job was seen. A Job that is missing now was deleted; it is not created again. */
    JOB_STARTED("JobStarted"),
    /** A call to the endpoint is due or under way. */
    CALLING("Calling"),
    /** The last call to the endpoint is over. */
    CALLED("Called"),
    /** This remediation set the out-of-service taint and removes it. */
    TAINT_SET("TaintSet");

    private final String label;

    Reached(String label) {
      this.label = label;
    }

    /** {@return the word in the resource} */
    public String label() {
      return label;
    }

    private static Reached parse(String label) {
      for (Reached each : values()) {
        if (each.label.equals(label)) {
          return each;
        }
      }
      return NONE;
    }
  }

  /** Bounds the number of calls, and keeps only a reason that is one word. */
  public Milestone {
    calls = Math.clamp(calls, 0, MAX_CALLS);
    holdReason = REASON.matcher(holdReason).matches() ? holdReason : "";
  }

  /** {@return that a step was reached} */
  public static Milestone of(Reached reached) {
    return new Milestone(reached, 0, "");
  }

  /**
   * {@return that it waits before its first action}
   *
   * @param reason one word in UpperCamelCase
   */
  public static Milestone held(String reason) {
    return new Milestone(Reached.NONE, 0, reason);
  }

  /**
   * {@return that a call is due}
   *
   * @param number the number of the call, from 1
   */
  public static Milestone calling(int number) {
    return new Milestone(Reached.CALLING, number, "");
  }

  /**
   * {@return that a call has had its answer}
   *
   * @param number the number of the call, from 1
   */
  public static Milestone called(int number) {
    return new Milestone(Reached.CALLED, number, "");
  }

  static Milestone read(JsonNode status, RemediationPhase phase) {
    JsonNode progress = status.path("progress");
    return progress.isObject()
        ? new Milestone(
            Reached.parse(progress.path("reached").asText("")),
            (int) Math.min(progress.path("calls").asLong(), MAX_CALLS),
            progress.path("holdReason").asText(""))
        : fromOldMessage(phase, status.path("message").asText());
  }

  /** Each field, so that a merge patch removes what is gone. */
  ObjectNode write() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("reached", reached.label());
    json.put("calls", calls == 0 ? null : Integer.valueOf(calls));
    json.put("holdReason", holdReason.isEmpty() ? null : holdReason);
    return json;
  }

  private static final Pattern OLD_CALL =
      Pattern.compile(
          "call (\\d{1,6}) to (?:\\[[^\\]]*\\]|[^:\\[]+)(?::\\d+)?(: .*)?", Pattern.DOTALL);

  /**
   * Reads a status without the field {@code progress}: an older controller wrote it, or an old
   * definition dropped the field. So the beginnings of these messages must stay as they are.
   */
  private static Milestone fromOldMessage(RemediationPhase phase, String message) {
    if (phase == RemediationPhase.HELD) {
      return held(message.split(":", 2)[0]);
    }
    if (phase == RemediationPhase.ORDERED && message.startsWith("ordered; ")) {
      return of(Reached.ORDER_PLACED);
    }
    if (message.startsWith("the node is off; the taint")) {
      return of(Reached.TAINT_SET);
    }
    if (phase != RemediationPhase.WAITING) {
      return NONE;
    }
    if (message.startsWith("the Job is running")) {
      return of(Reached.JOB_STARTED);
    }
    Matcher call = OLD_CALL.matcher(message);
    if (!call.matches()) {
      return NONE;
    }
    int number = Integer.parseInt(call.group(1));
    return call.group(2) != null ? called(number) : calling(number);
  }
}
