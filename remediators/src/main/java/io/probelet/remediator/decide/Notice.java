package io.probelet.remediator.decide;

import io.probelet.health.OneLine;

/**
 * The content of an Event about the remediation and its node.
 *
 * @param warning whether the Event is a warning
 * @param reason one word in UpperCamelCase
 */
public record Notice(boolean warning, String reason, String message) {
  /** Of a digest, which has lines of its own, all fits. */
  private static final int MAX_MESSAGE = 8192;

  /** ACT-44: the message goes to the log and to Events, whatever it quotes. */
  public Notice {
    message = OneLine.of(message, MAX_MESSAGE);
  }

  /**
   * {@return one about what is as it should be}
   *
   * @param reason one word in UpperCamelCase
   */
  public static Notice normal(String reason, String message) {
    return new Notice(false, reason, message);
  }

  /**
   * {@return one about what somebody may have to do something about}
   *
   * @param reason one word in UpperCamelCase
   */
  public static Notice warning(String reason, String message) {
    return new Notice(true, reason, message);
  }
}
