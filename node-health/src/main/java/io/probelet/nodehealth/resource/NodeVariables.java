package io.probelet.nodehealth.resource;

import io.probelet.document.expression.ExpressionType.ListOf;
import io.probelet.document.expression.ExpressionType.MapOf;
import io.probelet.document.expression.ExpressionType.ObjectOf;
import io.probelet.document.expression.ExpressionType.Scalar;
import io.probelet.document.expression.ExpressionVariables;
import java.util.Map;

/**
 * The variables of an expression over a node (RB-7, ACT-81). Messages are not among them: they are
 * texts for people, and tenants may have written parts of them.
 */
public final class NodeVariables {
  /** Names of variables and fields. */
  public static final String NAME = "name",
      AGE = "age",
      LABELS = "labels",
      TAINTS = "taints",
      CONDITIONS = "conditions",
      KEY = "key",
      VALUE = "value",
      EFFECT = "effect",
      STATUS = "status",
      REASON = "reason";

  /** All with their types. */
  public static final ExpressionVariables DECLARED =
      new ExpressionVariables(
          Map.of(
              NAME, Scalar.STRING,
              AGE, Scalar.DURATION,
              LABELS, new MapOf(Scalar.STRING),
              TAINTS,
                  new ListOf(
                      new ObjectOf(
                          "taint",
                          Map.of(
                              KEY, Scalar.STRING,
                              VALUE, Scalar.STRING,
                              EFFECT, Scalar.STRING))),
              CONDITIONS,
                  new MapOf(
                      new ObjectOf(
                          "condition",
                          Map.of(
                              STATUS, Scalar.STRING,
                              REASON, Scalar.STRING,
                              AGE, Scalar.DURATION)))));

  private NodeVariables() {}
}
