package io.probelet.cluster.care;

import io.probelet.checks.result.CheckResult;
import io.probelet.checks.result.CheckResult.Unhealthy;

/**
 * Sums up what is found of the nodes. One that failed and whose machine is preserved for somebody
 * to examine is reported only when nothing else is wrong: it is known (CH-45).
 */
final class NodeReview {
  private final ComponentReview review = new ComponentReview();
  private final ComponentReview preserved = new ComponentReview();
  private final int minimum;
  private int nodes;

  NodeReview(int minimum) {
    this.minimum = minimum;
  }

  void add(ObjectVerdict node) {
    nodes++;
    CheckResult result = node.health();
    if (node.noted() && result instanceof Unhealthy(String detail, var codes)) {
      preserved.add(
          node, new Unhealthy(detail + " (node and backing machine are preserved)", codes));
    } else {
      review.add(node, result);
    }
  }

  ConditionFinding finding() {
    if (review.finding() instanceof ConditionFinding.Unhealthy bad) {
      return bad;
    }
    if (nodes < minimum) {
      return new ConditionFinding.Unhealthy(
          "MissingNodes", "Not enough nodes are registered (" + nodes + "/" + minimum + ").");
    }
    if (preserved.finding() instanceof ConditionFinding.Unhealthy bad) {
      return bad;
    }
    if (review.finding() instanceof ConditionFinding.Unknown unchecked) {
      return unchecked;
    }
    return switch (nodes) {
      case 0 -> new ConditionFinding.Healthy("NoNodes", "No node is registered.");
      case 1 -> new ConditionFinding.Healthy(CareConditions.EVERY_NODE_READY, "The node is ready.");
      default ->
          new ConditionFinding.Healthy(
              CareConditions.EVERY_NODE_READY, "All " + nodes + " nodes are ready.");
    };
  }
}
