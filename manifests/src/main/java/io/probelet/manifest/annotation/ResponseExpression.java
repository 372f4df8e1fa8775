package io.probelet.manifest.annotation;

import io.probelet.document.expression.CompiledExpression;
import io.probelet.document.expression.ExpressionResult.Decided;
import io.probelet.document.expression.ExpressionResult.Undecided;
import io.probelet.document.expression.ExpressionType.MapOf;
import io.probelet.document.expression.ExpressionType.ObjectOf;
import io.probelet.document.expression.ExpressionType.Scalar;
import io.probelet.document.expression.ExpressionVariables;
import io.probelet.document.field.Field;
import io.probelet.health.ShortText;
import io.probelet.manifest.annotation.Totals.Amount;
import io.probelet.probe.HttpExpectation.Response;
import io.probelet.probe.HttpExpectation.ResponseCondition;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An expression over a whole HTTP response. One that cannot be evaluated does not hold: the server
 * does not answer what the pod's author expects (P-29).
 *
 * @param expression compiled when the annotation was read
 */
record ResponseExpression(CompiledExpression expression) implements ResponseCondition {
  private static final int LONGEST_SHOWN = 200;

  private static final ExpressionVariables VARIABLES =
      new ExpressionVariables(
          Map.of(
              "status", Scalar.INT,
              "headers", new MapOf(Scalar.STRING),
              "body", Scalar.STRING,
              "json", Scalar.ANY,
              "phases",
                  new ObjectOf(
                      "phases",
                      Map.of(
                          "resolve", Scalar.DURATION,
                          "connect", Scalar.DURATION,
                          "tls", Scalar.DURATION,
                          "first_byte", Scalar.DURATION,
                          "total", Scalar.DURATION))));

  /** Returns the condition, null when there is none or it has errors. */
  static @Nullable ResponseCondition read(Field field, Totals totals) {
    if (!field.isPresent()) {
      return null;
    }
    totals.take(field, Amount.EXPRESSIONS, field.scalar().length());
    if (!totals.mayMeasure(field)) {
      return null;
    }
    CompiledExpression compiled = CompiledExpression.read(field, VARIABLES);
    return compiled == null ? null : new ResponseExpression(compiled);
  }

  @Override
  public @Nullable String broken(Response response) {
    Map<String, Object> values = new HashMap<>();
    values.put("status", response.status());
    values.put("headers", response.headers());
    values.put("body", response.body());
    values.put("phases", response.phases());
    if (response.json() != null) {
      values.put("json", response.json());
    }
    return switch (expression.evaluate(values)) {
      case Decided decided -> decided.holds() ? null : "expression is false: " + shown();
      case Undecided(String reason) -> "expression has no value, " + reason + ": " + shown();
    };
  }

  private String shown() {
    return ShortText.of(expression.text(), LONGEST_SHOWN);
  }
}
