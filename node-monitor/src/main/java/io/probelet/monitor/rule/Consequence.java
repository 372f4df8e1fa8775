package io.probelet.monitor.rule;

/** What follows from a rule that holds. */
public sealed interface Consequence {
  /** {@return one word in UpperCamelCase for programs} */
  String reason();

  /** {@return how much evidence it takes} */
  Patience patience();

  /**
   * An event and nothing that lasts: a temporary rule.
   *
   * @param reason the event's reason
   * @param patience how much evidence it takes
   */
  record EventOnly(String reason, Patience patience) implements Consequence {}

  /**
   * A condition becomes true: a permanent rule.
   *
   * @param type the condition's type
   * @param reason the condition's reason while this rule holds
   * @param patience how much evidence it takes, and what ends it
   */
  record OnCondition(String type, String reason, Patience patience) implements Consequence {}
}
