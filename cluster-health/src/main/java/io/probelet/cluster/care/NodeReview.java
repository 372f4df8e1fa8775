package io.probelet.cluster.care;

import io.probelet.checks.result.CheckResult;
import io.probelet.checks.result.CheckResult.Unhealthy;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Sums up the findings on nodes. A failed node whose machine is preserved for examination is known,
 * so it is reported only if there is no other problem (CH-45).
 */
final class NodeReview {
  private final ComponentReview review = new ComponentReview();
  private final ComponentReview preserved = new ComponentReview();
  private final int minimum;
  private Optional<ConditionFinding> leases = Optional.empty();
  private final Set<String> names = new HashSet<>();

  NodeReview(int minimum) {
    this.minimum = minimum;
  }

  void add(ObjectVerdict node) {
    names.add(node.name());
    CheckResult result = node.health();
    if (node.noted() && result instanceof Unhealthy(String detail, var codes)) {
      preserved.add(
          node, new Unhealthy(detail + " (node and backing machine are preserved)", codes));
    } else {
      review.add(node, result);
    }
  }

  /** {@return the names of the nodes so far} */
  Set<String> names() {
    return names;
  }

  /** Adds the finding on the nodes' leases. */
  void add(NodeLeases found) {
    leases =
        found
            .problem()
            .map(problem -> new ConditionFinding.Unhealthy("TooManyExpiredNodeLeases", problem));
  }

  /** Records that the leases could not be read. */
  void unreadableLeases(String error) {
    leases = Optional.of(new ConditionFinding.Unknown(error));
  }

  ConditionFinding finding() {
    int nodes = names.size();
    if (review.finding() instanceof ConditionFinding.Unhealthy bad) {
      return bad;
    }
    if (nodes < minimum) {
      return new ConditionFinding.Unhealthy(
          "MissingNodes", "Not enough nodes are registered (" + nodes + "/" + minimum + ").");
    }
    if (leases.orElse(null) instanceof ConditionFinding.Unhealthy bad) {
      return bad;
    }
    if (preserved.finding() instanceof ConditionFinding.Unhealthy bad) {
      return bad;
    }
    if (review.finding() instanceof ConditionFinding.Unknown unchecked) {
      return unchecked;
    }
    if (leases.isPresent()) {
      return leases.get();
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
