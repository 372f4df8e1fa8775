package io.probelet.cluster.care;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.probelet.checks.condition.ConditionJson;
import io.probelet.checks.result.CheckResult;
import io.probelet.checks.result.CheckResult.Healthy;
import io.probelet.checks.result.CheckResult.NotExecuted;
import io.probelet.checks.result.CheckResult.Unhealthy;
import io.probelet.document.expression.CompiledExpression;
import io.probelet.document.expression.ExpressionResult.Decided;
import io.probelet.document.expression.ExpressionResult.Undecided;
import io.probelet.document.expression.ExpressionType.MapOf;
import io.probelet.document.expression.ExpressionType.ObjectOf;
import io.probelet.document.expression.ExpressionType.Scalar;
import io.probelet.document.expression.ExpressionVariables;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks an object of any kind by an expression over it (CH-57).
 *
 * @param healthyWhen true while the object is healthy
 * @param now the time from which ages count
 */
record ObjectExpression(CompiledExpression healthyWhen, Instant now) {
  private static final String OBJECT = "object",
      CONDITIONS = "conditions",
      STATUS = "status",
      REASON = "reason",
      AGE = "age";

  /** The object as it is, and the conditions of its status by type. */
  static final ExpressionVariables DECLARED =
      new ExpressionVariables(
          Map.of(
              OBJECT,
              Scalar.ANY,
              CONDITIONS,
              new MapOf(
                  new ObjectOf(
                      "condition",
                      Map.of(
                          STATUS, Scalar.STRING,
                          REASON, Scalar.STRING,
                          AGE, Scalar.DURATION)))));

  private static final ObjectMapper JSON = new ObjectMapper();

  CheckResult check(GenericKubernetesResource resource) {
    ObjectNode object = JSON.valueToTree(resource);
    if (object.path("metadata") instanceof ObjectNode metadata) {
      metadata.remove("managedFields"); // large, and of no use here
    }
    return switch (healthyWhen.evaluate(Map.of(OBJECT, object, CONDITIONS, conditions(object)))) {
      case Decided(boolean healthy) ->
          healthy ? new Healthy() : new Unhealthy("healthyWhen is false", List.of());
      case Undecided(String reason) -> new NotExecuted("healthyWhen has no value: " + reason);
    };
  }

  /** An invalid condition is left out: what reads it has no value. */
  private Map<String, Object> conditions(JsonNode object) {
    Map<String, Object> conditions = new HashMap<>();
    for (JsonNode entry : object.at("/status/conditions")) {
      ConditionJson.read(entry)
          .ifPresent(condition ->
              conditions.put(
                  condition.type(),
                  Map.of(
                      STATUS, condition.status().toString(),
                      REASON, condition.reason(),
                      AGE, age(condition.lastTransitionTime()))));
    }
    return conditions;
  }

  /** Clocks differ: nothing is younger than new. */
  private Duration age(Instant since) {
    return now.isBefore(since) ? Duration.ZERO : Duration.between(since, now);
  }
}
