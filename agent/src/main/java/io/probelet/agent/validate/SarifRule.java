package io.probelet.agent.validate;

import io.probelet.document.field.Problem;
import io.probelet.manifest.advice.Advice;
import io.probelet.monitor.log.MonitorAdvice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A rule as SARIF lists it.
 *
 * @param id its name, which stays
 * @param description what it is about, in a sentence
 */
record SarifRule(String id, String description) {
  private static final SarifRule OTHER =
      new SarifRule("manifest", "A file or a value is not what can be read here.");

  /** Errors and warnings by the API server's words for them, with which a message begins. */
  private record Worded(String beginning, SarifRule rule) {}

  private static final List<Worded> WORDED =
      List.of(
          worded("Required value", "required-value", "A value is missing."),
          worded("Invalid value", "invalid-value", "A value breaks the rule for it."),
          worded("Invalid key", "invalid-key", "A name that is data breaks the rule for it."),
          worded("Unsupported value", "unsupported-value", "A word is none of those allowed."),
          worded("Duplicate value", "duplicate-value", "A value was given before."),
          worded("Forbidden", "forbidden", "A field must not be here."),
          worded("Not found", "not-found", "What is named is not there."),
          worded("Too long", "too-long", "A value is longer than it may be."),
          worded("unknown field", "unknown-field", "A field is not known."),
          worded("has no effect", "no-effect", "A field has no effect here."),
          worded("ignored", "ignored-kind", "An object's kind is not read here."));

  private static Worded worded(String beginning, String id, String description) {
    return new Worded(beginning, new SarifRule(id, description));
  }

  /** {@return all rules there are} */
  static List<SarifRule> all() {
    List<SarifRule> all = new ArrayList<>();
    WORDED.forEach(each -> all.add(each.rule()));
    all.add(OTHER);
    Arrays.stream(Advice.values())
        .forEach(each -> all.add(new SarifRule(each.id(), sentence(each.why()))));
    all.add(new SarifRule(MonitorAdvice.ID, sentence(MonitorAdvice.WHY)));
    return all;
  }

  /** {@return the id of the rule that a problem is about} */
  static String idOf(Problem problem) {
    if (!problem.rule().isEmpty()) {
      return problem.rule();
    }
    return WORDED.stream()
        .filter(each -> problem.message().startsWith(each.beginning()))
        .findFirst()
        .map(Worded::rule)
        .orElse(OTHER)
        .id();
  }

  private static String sentence(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
  }
}
