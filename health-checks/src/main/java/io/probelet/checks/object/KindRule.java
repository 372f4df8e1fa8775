package io.probelet.checks.object;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.probelet.checks.result.CheckResult;
import java.util.List;
import java.util.Optional;

/**
 * The rule for a kind that the client has no model of: steps over the object as JSON, of which the
 * first that finds something wrong is reported.
 */
record KindRule(List<Step> steps) implements ObjectCheck<HasMetadata> {
  private static final JsonPointer GENERATION = JsonPointer.compile("/metadata/generation");
  private static final JsonPointer OBSERVED = JsonPointer.compile("/status/observedGeneration");
  private static final JsonPointer WANTED = JsonPointer.compile("/spec/replicas");

  /** Checks one thing; empty if nothing is wrong with it. */
  @FunctionalInterface
  interface Step {
    Optional<String> problem(JsonNode object);
  }

  static KindRule of(Step... steps) {
    return new KindRule(List.of(steps));
  }

  @Override
  public CheckResult check(HasMetadata object) {
    JsonNode tree = AnyResource.tree(object);
    return steps.stream()
        .map(step -> step.problem(tree))
        .flatMap(Optional::stream)
        .findFirst()
        .map(CheckResult::unhealthy)
        .orElseGet(CheckResult::healthy);
  }

  /** Its controller has seen what is wanted now. */
  static Step observed() {
    return object -> Findings.outdated(object.at(OBSERVED).asLong(), generation(object));
  }

  /** Its controller has seen exactly what is wanted now: one ahead is as outdated as one behind. */
  static Step observedExactly() {
    return object -> {
      long observed = object.at(OBSERVED).asLong();
      long wanted = generation(object);
      return observed == wanted
          ? Optional.empty()
          : Optional.of(Findings.outdatedText(observed, wanted));
    };
  }

  /** Its conditions say all this. */
  static Step conditions(ConditionExpectation... expectations) {
    List<ConditionExpectation> wanted = List.of(expectations);
    return object ->
        ConditionExpectation.firstViolation(wanted, AnyResource.observedConditions(object));
  }

  /** A condition that says for which generation it was written is there, of now, and True. */
  static Step currentCondition(String type) {
    Step said = conditions(ConditionExpectation.required(type, "True"));
    return object -> {
      for (JsonNode condition : object.at("/status/conditions")) {
        if (type.equals(condition.path("type").asText())) {
          JsonNode observed = condition.path("observedGeneration");
          Optional<String> outdated =
              observed.isMissingNode()
                  ? Optional.empty()
                  : Findings.outdated(observed.asLong(), generation(object));
          return outdated.or(() -> said.problem(object));
        }
      }
      return said.problem(object);
    };
  }

  /** A field has this text; the finding names what it is called, as in {@code issuer state}. */
  static Step text(String pointer, String expected, String called) {
    JsonPointer where = JsonPointer.compile(pointer);
    return object -> {
      String found = object.at(where).asText();
      return found.equals(expected)
          ? Optional.empty()
          : Optional.of("%s is \"%s\" (expected \"%s\")".formatted(called, found, expected));
    };
  }

  /** A field is true. */
  static Step isTrue(String pointer, String otherwise) {
    JsonPointer where = JsonPointer.compile(pointer);
    return object -> object.at(where).asBoolean() ? Optional.empty() : Optional.of(otherwise);
  }

  /** As many replicas are so as are wanted, one where no number is given. */
  static Step enough(String pointer, String called) {
    JsonPointer where = JsonPointer.compile(pointer);
    return object -> {
      long found = object.at(where).asLong();
      long wanted = object.at(WANTED).asLong(1);
      return found < wanted
          ? Optional.of("not enough " + called + " replicas (" + found + "/" + wanted + ")")
          : Optional.empty();
    };
  }

  private static long generation(JsonNode object) {
    return object.at(GENERATION).asLong();
  }
}
