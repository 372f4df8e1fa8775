package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.UnhealthyCondition;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How a node is in the eyes of one NodeHealthCheck. */
public sealed interface NodeHealth {
  /** Nothing speaks against it. */
  record Healthy() implements NodeHealth {}

  /** Nothing speaks against it, but its Ready condition is missing: it was just created. */
  record Unreported() implements NodeHealth {}

  /**
   * A condition matches, but has not lasted yet.
   *
   * @param at when it will have lasted
   */
  record Soon(Instant at) implements NodeHealth {}

  /**
   * A condition has lasted too long.
   *
   * @param type the condition's type
   * @param status its status; empty if the node lacks it, which speaks against it too (RB-4)
   * @param since when the condition began
   */
  record Unhealthy(String type, String status, Instant since) implements NodeHealth {
    /** {@return type and status in one, as {@code Ready=Unknown}} */
    public String condition() {
      return status.isEmpty() ? type + " missing" : type + "=" + status;
    }
  }

  /** The one instance. */
  NodeHealth HEALTHY = new Healthy();

  /** The one instance. */
  NodeHealth UNREPORTED = new Unreported();

  /** What is added to a moment that has to be past, as the API's moments are whole seconds. */
  Duration SETTLE = Duration.ofSeconds(1);

  /**
   * Evaluates a node.
   *
   * @param spec what makes it unhealthy
   * @param node the node
   * @param now the moment
   * @return the node's health
   */
  static NodeHealth of(NodeHealthCheckSpec spec, NodeFacts node, Instant now) {
    Instant soonest = null;
    for (UnhealthyCondition rule : spec.unhealthyConditions()) {
      for (NodeCondition condition : node.conditions()) { // one it lacks never matches
        if (condition.type().equals(rule.type()) && condition.status().equals(rule.status())) {
          Instant expiry = condition.lastTransitionTime().plus(rule.duration());
          if (now.isAfter(expiry)) {
            return new Unhealthy(rule.type(), rule.status(), condition.lastTransitionTime());
          }
          soonest = earlier(soonest, expiry.plus(SETTLE));
        }
      }
    }
    Duration limit = spec.neverReadyAfter();
    if (limit != null && !node.hasReadyCondition()) { // its kubelet never reported (RB-4)
      Instant expiry = node.created().plus(limit);
      if (now.isAfter(expiry)) {
        return new Unhealthy("Ready", "", node.created());
      }
      soonest = earlier(soonest, expiry.plus(SETTLE));
    }
    if (soonest != null) {
      return new Soon(soonest);
    }
    return node.hasReadyCondition() ? HEALTHY : UNREPORTED;
  }

  private static Instant earlier(@Nullable Instant one, Instant other) {
    return one == null || other.isBefore(one) ? other : one;
  }
}
