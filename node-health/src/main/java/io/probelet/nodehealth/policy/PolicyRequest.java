package io.probelet.nodehealth.policy;

import io.probelet.document.expression.CompiledExpression;
import io.probelet.document.expression.ExpressionResult;
import io.probelet.document.expression.ExpressionResult.Undecided;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request to start a remediation.
 *
 * @param state of the node, which expressions of policies read (ACT-81)
 * @param kind the remediation's kind, such as {@code RebootRemediation}
 * @param counted its time in the policies' histories, from its annotation {@link
 *     RemediationPolicy#COUNTED}; null for a first request
 */
public record PolicyRequest(
    PolicyNode node, NodeState state, String kind, @Nullable Instant counted) {
  /** The state of a node. */
  @FunctionalInterface
  public interface NodeState {
    /** Of a node that cannot be read: no expression over it has a value. */
    NodeState UNKNOWN = (_, _) -> new Evaluated(new Undecided("the node does not exist"), null);

    /**
     * Evaluates an expression.
     *
     * @param expression over the variables of a node
     */
    Evaluated evaluate(CompiledExpression expression, Instant now);
  }

  /**
   * A result.
   *
   * @param until when to evaluate it again even if the node does not change; null for never
   */
  public record Evaluated(ExpressionResult result, @Nullable Instant until) {}

  /**
   * Whether a history contains it: then its hourly limit, backstop and approval were checked
   * before.
   */
  boolean isCountedIn(PolicyFacts.State state) {
    return counted != null
        && state.history().contains(new PastRemediation(node.name(), kind, counted));
  }
}
