package io.probelet.monitor.track;

import io.probelet.health.ConditionStatus;
import io.probelet.health.ShortText;
import java.time.Instant;

/**
 * What was found about a condition from some moment on (B-18).
 *
 * @param at when it began, on the wall clock
 * @param status True for a problem
 * @param reason one word for programs
 * @param message what was seen, cut to {@link #MAX_MESSAGE_CHARS}
 */
public record PastStatus(Instant at, ConditionStatus status, String reason, String message) {
  /** What is kept of each message. */
  public static final int MAX_MESSAGE_CHARS = 256;

  /** Cuts the message. */
  public PastStatus {
    message = ShortText.beginning(message, MAX_MESSAGE_CHARS);
  }

  boolean says(ConditionStatus other, String why) {
    return status == other && reason.equals(why);
  }
}
