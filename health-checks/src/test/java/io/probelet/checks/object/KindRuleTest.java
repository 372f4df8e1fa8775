package io.probelet.checks.object;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.probelet.checks.object.KindRule.Step;
import io.probelet.checks.result.CheckResult;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each step of a rule wants (CH-40); the rules themselves are in KindsTest. */
class KindRuleTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "observed  | {'metadata': {'generation': 2}, 'status': {'observedGeneration': 2}} |",
        "observed  | {'metadata': {'generation': 2}, 'status': {'observedGeneration': 3}} |",
        "observed  | {'metadata': {'generation': 2}, 'status': {'observedGeneration': 1}}"
            + " | observed generation outdated (1/2)",
        "observed  | {'metadata': {'generation': 2}} | observed generation outdated (0/2)",
        "exactly   | {'metadata': {'generation': 2}, 'status': {'observedGeneration': 2}} |",
        "exactly   | {'metadata': {'generation': 2}, 'status': {'observedGeneration': 3}}"
            + " | observed generation outdated (3/2)",
        "exactly   | {'metadata': {'generation': 2}, 'status': {'observedGeneration': 1}}"
            + " | observed generation outdated (1/2)",
        "condition | {'status': {'conditions': [{'type': 'Ready', 'status': 'True'}]}} |",
        "condition | {'status': {'conditions': [{'type': 'Ready', 'status': 'False'}]}}"
            + " | condition \"Ready\" has invalid status False (expected True)",
        "condition | {} | condition \"Ready\" is missing",
        "current   | {'status': {'conditions': [{'type': 'Ready', 'status': 'True'}]}} |",
        "current   | {'metadata': {'generation': 2}, 'status': {'conditions': [{'type': 'Other'},"
            + " {'type': 'Ready', 'status': 'True', 'observedGeneration': 2}]}} |",
        "current   | {'metadata': {'generation': 2}, 'status': {'conditions': ["
            + "{'type': 'Ready', 'status': 'True', 'observedGeneration': 1}]}}"
            + " | observed generation outdated (1/2)",
        "current   | {'metadata': {'generation': 2}, 'status': {'conditions': ["
            + "{'type': 'Ready', 'status': 'False', 'observedGeneration': 2}]}}"
            + " | condition \"Ready\" has invalid status False (expected True)",
        "current   | {'status': {'conditions': [{'type': 'Other', 'status': 'True'}]}}"
            + " | condition \"Ready\" is missing",
        "text      | {'status': {'state': 'Good'}} |",
        "text      | {'status': {'state': 'Bad'}} | issuer state is \"Bad\" (expected \"Good\")",
        "text      | {} | issuer state is \"\" (expected \"Good\")",
        "true      | {'status': {'ok': true}} |",
        "true      | {'status': {'ok': false}} | it is not",
        "true      | {} | it is not",
        "enough    | {'spec': {'replicas': 2}, 'status': {'ready': 2}} |",
        "enough    | {'spec': {'replicas': 2}, 'status': {'ready': 3}} |",
        "enough    | {'spec': {'replicas': 2}, 'status': {'ready': 1}}"
            + " | not enough ready replicas (1/2)",
        "enough    | {'status': {'ready': 1}} |",
        "enough    | {} | not enough ready replicas (0/1)",
      })
  @DisplayName("CH-40 a step reports a problem or nothing")
  void step(String name, String json, @Nullable String problem) throws JsonProcessingException {
    Step step =
        switch (name) {
          case "observed" -> KindRule.observed();
          case "exactly" -> KindRule.observedExactly();
          case "condition" -> KindRule.conditions(ConditionExpectation.required("Ready", "True"));
          case "current" -> KindRule.currentCondition("Ready");
          case "text" -> KindRule.text("/status/state", "Good", "issuer state");
          case "true" -> KindRule.isTrue("/status/ok", "it is not");
          case "enough" -> KindRule.enough("/status/ready", "ready");
          default -> throw new IllegalArgumentException(name);
        };
    assertThat(step.problem(JSON.readTree(json.replace('\'', '"'))).orElse(null))
        .isEqualTo(problem);
  }

  @Test
  @DisplayName("CH-40 the first step that finds something wrong is reported")
  void first() {
    KindRule rule =
        KindRule.of(
            KindRule.text("/kind", "A", "kind"),
            KindRule.isTrue("/ok", "not ok"),
            KindRule.isTrue("/good", "not good"));
    assertThat(rule.check(object("B")))
        .isEqualTo(CheckResult.unhealthy("kind is \"B\" (expected \"A\")"));
    assertThat(rule.check(object("A"))).isEqualTo(CheckResult.unhealthy("not ok"));
    assertThat(KindRule.of(KindRule.text("/kind", "A", "kind")).check(object("A")))
        .isEqualTo(CheckResult.healthy());
  }

  private static GenericKubernetesResource object(String kind) {
    GenericKubernetesResource object = new GenericKubernetesResource();
    object.setApiVersion("v1");
    object.setKind(kind);
    object.setAdditionalProperties(Map.of());
    return object;
  }
}
