package io.probelet.nodehealth.remediation;

import io.probelet.document.expression.CompiledExpression;
import io.probelet.document.expression.ExpressionResult;
import io.probelet.health.ConditionSeverity;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import io.probelet.nodehealth.resource.NodeVariables;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Evaluates an expression over one node, now and at the ages that it names (RB-7). */
final class NodeExpression {
  /**
   * Moments that are evaluated ahead. A node has a few conditions, unless whoever writes its status
   * means to occupy the controller: then the rest is evaluated once these have passed.
   */
  static final int MAX_AHEAD = 100;

  private final CompiledExpression expression;
  private final NodeFacts node;
  private final Instant from;

  /**
   * Prepares.
   *
   * @param from no condition is older than if it had changed then (MW-3)
   */
  NodeExpression(CompiledExpression expression, NodeFacts node, Instant from) {
    this.expression = expression;
    this.node = node;
    this.from = from;
  }

  /**
   * A result and how long it lasts if the node does not change.
   *
   * @param result at that moment
   * @param since the last moment at which a condition or an age may have changed the result
   * @param until the next moment at which it is another or has to be evaluated again; null if it
   *     never is
   * @param then the result from then on; null if it never changes, or is not known yet
   */
  record Course(
      ExpressionResult result,
      Instant since,
      @Nullable Instant until,
      @Nullable ExpressionResult then) {}

  Course at(Instant now) {
    ExpressionResult result = evaluate(now);
    NavigableSet<Instant> moments = moments();
    Instant since = since(moments, now);
    int ahead = 0;
    for (Instant moment : moments.tailSet(now, false)) {
      if (++ahead > MAX_AHEAD) {
        return new Course(result, since, moment, null);
      }
      ExpressionResult then = evaluate(moment);
      if (!then.equals(result)) {
        return new Course(result, since, moment, then);
      }
    }
    return new Course(result, since, null, null);
  }

  private Instant since(NavigableSet<Instant> moments, Instant now) {
    Instant last = moments.floor(now);
    Instant since = last == null ? node.created() : last;
    for (NodeCondition condition : node.conditions()) {
      Instant changed = changed(condition);
      since = changed.isAfter(since) && !changed.isAfter(now) ? changed : since;
    }
    return since;
  }

  private Instant changed(NodeCondition condition) {
    Instant changed = condition.lastTransitionTime();
    return changed.isBefore(from) ? from : changed;
  }

  /** The API stores whole seconds, so that an age has surely been exceeded one second later. */
  private NavigableSet<Instant> moments() {
    NavigableSet<Instant> moments = new TreeSet<>();
    for (Duration duration : expression.durations()) {
      moments.add(node.created().plus(duration).plus(NodeCensus.NodeHealth.SETTLE));
      for (NodeCondition condition : node.conditions()) {
        moments.add(changed(condition).plus(duration).plus(NodeCensus.NodeHealth.SETTLE));
      }
    }
    return moments;
  }

  private ExpressionResult evaluate(Instant now) {
    Map<String, Object> conditions = new HashMap<>();
    for (NodeCondition condition : node.conditions()) {
      conditions.put(
          condition.type(),
          Map.of(
              NodeVariables.STATUS, condition.status(),
              NodeVariables.REASON, condition.reason(),
              NodeVariables.SEVERITY, ConditionSeverity.of(condition.type()).toString(),
              NodeVariables.AGE, age(changed(condition), now)));
    }
    List<Map<String, String>> taints = node.taints().stream().map(NodeExpression::values).toList();
    return expression.evaluate(
        Map.of(
            NodeVariables.NAME, node.name(),
            NodeVariables.AGE, age(node.created(), now),
            NodeVariables.LABELS, node.labels(),
            NodeVariables.TAINTS, taints,
            NodeVariables.CONDITIONS, conditions));
  }

  private static Map<String, String> values(NodeTaint taint) {
    return Map.of(
        NodeVariables.KEY, taint.key(),
        NodeVariables.VALUE, taint.value(),
        NodeVariables.EFFECT, taint.effect());
  }

  /** Clocks of nodes and controllers differ: nothing is younger than new. */
  private static Duration age(Instant since, Instant now) {
    return now.isBefore(since) ? Duration.ZERO : Duration.between(since, now);
  }
}
