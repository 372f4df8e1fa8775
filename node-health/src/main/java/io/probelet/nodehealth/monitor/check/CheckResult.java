package io.probelet.nodehealth.monitor.check;

/**
 * What a look at the machine came to. Messages say the same as long as the same is wrong: a figure
 * that is another each time would make a condition news each time.
 */
public sealed interface CheckResult {
  /** Nothing is wrong. */
  record Ok() implements CheckResult {}

  /**
   * Something is wrong.
   *
   * @param message what, for people
   */
  record Problem(String message) implements CheckResult {}

  /**
   * It could not be found out (B-5).
   *
   * @param why for people
   */
  record Unknown(String why) implements CheckResult {}

  /** Nothing is wrong. */
  CheckResult OK = new Ok();
}
