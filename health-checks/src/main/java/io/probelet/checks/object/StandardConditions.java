package io.probelet.checks.object;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.probelet.checks.result.CheckResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks an object of a kind without a rule by what such objects commonly say of themselves: the
 * generation their controller has seen, and the conditions Ready, Available and Healthy, as far as
 * they are there (CH-41).
 */
final class StandardConditions {
  private static final List<String> TYPES = List.of("Ready", "Available", "Healthy");

  private StandardConditions() {}

  static CheckResult check(HasMetadata object) {
    JsonNode tree = AnyResource.tree(object);
    Optional<String> outdated =
        seenGeneration(tree) ? KindRule.observed().problem(tree) : Optional.empty();
    return Findings.unhealthyIf(
        outdated.or(() ->
            ConditionExpectation.firstViolation(
                TYPES.stream().map(type -> ConditionExpectation.ifPresent(type, "True")).toList(),
                AnyResource.observedConditions(tree))));
  }

  /** {@return what the check rests on, in words} */
  static String basis(HasMetadata object) {
    JsonNode tree = AnyResource.tree(object);
    List<String> said = new ArrayList<>();
    if (seenGeneration(tree)) {
      said.add("observedGeneration");
    }
    List<ObservedCondition> conditions = AnyResource.observedConditions(tree);
    TYPES.stream()
        .filter(type -> conditions.stream().anyMatch(found -> type.equals(found.type())))
        .forEach(type -> said.add("condition " + type));
    return said.isEmpty() ? "its presence" : String.join(", ", said);
  }

  private static boolean seenGeneration(JsonNode tree) {
    return tree.at("/status/observedGeneration").isNumber();
  }
}
