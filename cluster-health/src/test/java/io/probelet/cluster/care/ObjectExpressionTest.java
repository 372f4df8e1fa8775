package io.probelet.cluster.care;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.probelet.checks.result.CheckResult;
import io.probelet.checks.result.CheckResult.Healthy;
import io.probelet.checks.result.CheckResult.NotExecuted;
import io.probelet.checks.result.CheckResult.Unhealthy;
import io.probelet.document.expression.CompiledExpression;
import io.probelet.document.expression.ExpressionException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectExpressionTest {
  private static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");

  private static GenericKubernetesResource shop(Map<String, Object> status) {
    ManagedFieldsEntry managed = new ManagedFieldsEntry();
    managed.setManager("m".repeat(100_000));
    return new GenericKubernetesResourceBuilder()
        .withApiVersion("example.org/v1")
        .withKind("Shop")
        .withNewMetadata()
        .withName("toys")
        .addToLabels("size", "large")
        .withManagedFields(managed)
        .endMetadata()
        .addToAdditionalProperties("spec", Map.of("replicas", 3))
        .addToAdditionalProperties("status", status)
        .build();
  }

  private static Map<String, Object> status() {
    return Map.of(
        "ready",
        2,
        "conditions",
        List.of(
            Map.of(
                "type", "Open",
                "status", "True",
                "reason", "Morning",
                "lastTransitionTime", "2026-11-27T11:54:00Z"),
            Map.of(
                "type", "Cold",
                "status", "False",
                "lastTransitionTime", "2026-11-27T12:00:30Z"),
            Map.of("type", "Odd", "status", "ajar")));
  }

  private static CheckResult check(String expression, GenericKubernetesResource object) {
    try {
      return new ObjectExpression(
              CompiledExpression.compile(expression, ObjectExpression.DECLARED), NOW)
          .check(object);
    } catch (ExpressionException wrong) {
      throw new AssertionError(wrong);
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '"',
      value = {
        "object.status.ready >= object.spec.replicas - 1 ~ healthy",
        "object.status.ready == object.spec.replicas ~ unhealthy",
        "object.metadata.labels.size == 'large' && object.kind == 'Shop' ~ healthy",
        "conditions.Open.status == 'True' && conditions.Open.reason == 'Morning' ~ healthy",
        "conditions.Open.age > duration('5m') && conditions.Open.age < duration('7m') ~ healthy",
        "conditions.Cold.age == duration('0s') ~ healthy",
        "conditions.Cold.reason == '' && !('Odd' in conditions) ~ healthy",
        "conditions.Odd.status == 'True' ~ not executed",
        "object.status.absent == 1 ~ not executed",
        "object.status ~ not executed",
        "object.status.ready == 'two' || object.status.ready > 'one' ~ not executed",
      })
  @DisplayName("CH-57 an expression reads the object and its conditions")
  void decides(String expression, String result) {
    String found =
        switch (check(expression, shop(status()))) {
          case Healthy() -> "healthy";
          case Unhealthy _ -> "unhealthy";
          case NotExecuted _ -> "not executed";
          default -> "other";
        };
    assertThat(found).isEqualTo(result);
  }

  @Test
  @DisplayName("CH-57 an object that is too large for an expression is not healthy")
  void tooLarge() {
    assertThat(check("true", shop(Map.of("text", "x".repeat(65_000))))).isEqualTo(new Healthy());
    assertThat(check("true", shop(Map.of("text", "x".repeat(66_000)))))
        .isEqualTo(
            new NotExecuted(
                "healthyWhen has no value: the values have more than 65,536 characters"));
  }
}
