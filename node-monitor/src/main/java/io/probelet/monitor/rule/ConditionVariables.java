package io.probelet.monitor.rule;

import io.probelet.document.expression.ExpressionType.ListOf;
import io.probelet.document.expression.ExpressionType.MapOf;
import io.probelet.document.expression.ExpressionType.ObjectOf;
import io.probelet.document.expression.ExpressionType.Scalar;
import io.probelet.document.expression.ExpressionVariables;
import java.util.Map;

/**
 * The variables of an expression over the conditions of this node (B-25). Messages, devices and
 * events are not among them: tenants may have written parts of them, so they are no evidence
 * (A-11).
 */
public final class ConditionVariables {
  /** Names of the variable and its fields. */
  public static final String CONDITIONS = "conditions",
      STATUS = "status",
      REASON = "reason",
      AGE = "age",
      PROBLEMS = "problems",
      BEGAN = "began";

  static final ExpressionVariables DECLARED =
      new ExpressionVariables(
          Map.of(
              CONDITIONS,
              new MapOf(
                  new ObjectOf(
                      "condition",
                      Map.of(
                          STATUS, Scalar.STRING,
                          REASON, Scalar.STRING,
                          AGE, Scalar.DURATION,
                          PROBLEMS, new ListOf(Scalar.STRING),
                          BEGAN, new ListOf(Scalar.DURATION))))));

  private ConditionVariables() {}
}
