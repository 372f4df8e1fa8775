package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.Node;
import io.probelet.cluster.check.CheckResult;
import io.probelet.cluster.check.CheckResult.Unhealthy;
import io.probelet.cluster.error.ErrorCodeClassifier;
import io.probelet.cluster.object.ObjectHealth;

/** Sums up what is found of the nodes. */
final class NodeReview {
  private final ComponentReview review = new ComponentReview();
  private int nodes;

  void add(Node node) {
    nodes++;
    CheckResult result = ObjectHealth.check(node);
    review.add(
        node,
        result instanceof Unhealthy(String detail, var codes) && codes.isEmpty()
            ? new Unhealthy(detail, ErrorCodeClassifier.NODE_PRESSURE.classify(detail))
            : result);
  }

  Finding finding() {
    return review.finding() instanceof Finding.Bad bad
        ? bad
        : new Finding.Well(
            CareConditions.EVERY_NODE_READY,
            nodes == 1 ? "The node is ready." : "All " + nodes + " nodes are ready.");
  }
}
