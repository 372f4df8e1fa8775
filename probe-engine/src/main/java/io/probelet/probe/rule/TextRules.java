package io.probelet.probe.rule;

import io.probelet.probe.HttpExpectation.BodyRule;
import io.probelet.probe.Verdict.Cause;
import java.util.List;

/**
 * A text of an answer and the rules for it.
 *
 * @param what it is, for messages
 * @param text of the answer
 * @param cut whether there was more of it than is kept
 * @param rules must all hold
 * @param cause of the failure if one does not
 */
public record TextRules(String what, String text, boolean cut, List<BodyRule> rules, Cause cause) {
  /** Keeps an unmodifiable copy of the rules. */
  public TextRules {
    rules = List.copyOf(rules);
  }
}
