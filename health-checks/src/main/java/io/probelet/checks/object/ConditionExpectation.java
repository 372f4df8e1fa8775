package io.probelet.checks.object;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a condition of an object must say for the object to be healthy.
 *
 * @param type the condition type, for example {@code Available}
 * @param status the wanted status, as written in the object: {@code True}, {@code False}
 * @param mayBeAbsent whether an object without the condition passes
 */
public record ConditionExpectation(String type, String status, boolean mayBeAbsent) {

  /**
   * {@return that the condition must be there and say this}
   *
   * @param type the condition type
   * @param status the wanted status
   */
  public static ConditionExpectation required(String type, String status) {
    return new ConditionExpectation(type, status, false);
  }

  /**
   * {@return that the condition must say this if it is there}
   *
   * @param type the condition type
   * @param status the wanted status
   */
  public static ConditionExpectation ifPresent(String type, String status) {
    return new ConditionExpectation(type, status, true);
  }

  static Optional<String> firstViolation(
      List<ConditionExpectation> expectations, List<ObservedCondition> conditions) {
    return expectations.stream()
        .map(expectation -> expectation.violationIn(conditions))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private Optional<String> violationIn(List<ObservedCondition> conditions) {
    for (ObservedCondition condition : conditions) {
      if (type.equals(condition.type())) {
        return status.equals(condition.status())
            ? Optional.empty()
            : Optional.of(notMetBy(condition));
      }
    }
    return mayBeAbsent ? Optional.empty() : Optional.of("condition \"" + type + "\" is missing");
  }

  /** {@return what is wrong with a condition that does not say this} */
  String notMetBy(ObservedCondition condition) {
    return "condition \"%s\" has invalid status %s (expected %s)%s"
        .formatted(
            type,
            orElse(condition.status(), "unset"),
            status,
            Findings.why(orElse(condition.reason(), ""), orElse(condition.message(), "")));
  }

  private static String orElse(@Nullable String text, String otherwise) {
    return text == null ? otherwise : text;
  }
}
