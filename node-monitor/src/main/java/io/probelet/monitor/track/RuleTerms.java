package io.probelet.monitor.track;

import io.probelet.monitor.rule.Patience;
import java.util.function.UnaryOperator;

/**
 * A rule as the tracker of its condition sees it.
 *
 * @param id distinguishes it from the others of the condition, also after a restart
 * @param reason the condition's reason while the rule holds
 * @param patience how much evidence it takes
 * @param kind who brings the evidence
 * @param followMessage whether what is said last replaces what was said first
 * @param devices finds the device that a text of the rule's names; empty if it names none (B-15)
 */
public record RuleTerms(
    String id,
    String reason,
    Patience patience,
    Kind kind,
    boolean followMessage,
    UnaryOperator<String> devices) {
  /** Who brings the evidence. */
  public enum Kind {
    /** Lines of a log: they say when something happens, hardly ever that it is over. */
    LOG,
    /** A plugin or a check, which runs again and again. */
    ACTIVE
  }

  /**
   * Creates the terms of a rule that knows no devices.
   *
   * @param id distinguishes it from the others of the condition, also after a restart
   * @param reason the condition's reason while the rule holds
   * @param patience how much evidence it takes
   * @param kind who brings the evidence
   * @param followMessage whether what is said last replaces what was said first
   */
  public RuleTerms(String id, String reason, Patience patience, Kind kind, boolean followMessage) {
    this(id, reason, patience, kind, followMessage, _ -> "");
  }
}
