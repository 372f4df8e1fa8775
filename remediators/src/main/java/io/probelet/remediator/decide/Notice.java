package io.probelet.remediator.decide;

/**
 * Something to be said in an Event about the remediation and its node.
 *
 * @param warning whether somebody may have to do something about it
 * @param reason one word in UpperCamelCase
 * @param message a sentence
 */
public record Notice(boolean warning, String reason, String message) {
  /**
   * {@return one about what is as it should be}
   *
   * @param reason one word in UpperCamelCase
   * @param message a sentence
   */
  public static Notice normal(String reason, String message) {
    return new Notice(false, reason, message);
  }

  /**
   * {@return one about what somebody may have to do something about}
   *
   * @param reason one word in UpperCamelCase
   * @param message a sentence
   */
  public static Notice warning(String reason, String message) {
    return new Notice(true, reason, message);
  }
}
