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

  /**
   * A condition matches, but has not lasted yet.
   *
   * @param at when to look again
   */
  record Soon(Instant at) implements NodeHealth {}

  /**
   * A condition has lasted too long.
   *
   * @param condition which, as {@code Ready=Unknown}
   * @param since when the condition began
   */
  record Unhealthy(String condition, Instant since) implements NodeHealth {}

  /** The one instance. */
  NodeHealth HEALTHY = new Healthy();

  /** What is added to a moment that has to be past, as the API's moments are whole seconds. */
  Duration SETTLE = Duration.ofSeconds(1);

  /**
   * Judges a node.
   *
   * @param spec what makes it unhealthy
   * @param node the node
   * @param now the moment
   * @return the judgement
   */
  static NodeHealth of(NodeHealthCheckSpec spec, NodeFacts node, Instant now) {
    Instant soonest = null;
    for (UnhealthyCondition rule : spec.unhealthyConditions()) {
      for (NodeCondition condition : node.conditions()) { // one it lacks never matches
        if (condition.type().equals(rule.type()) && condition.status().equals(rule.status())) {
          Instant expiry = condition.lastTransitionTime().plus(rule.duration());
          if (now.isAfter(expiry)) {
            return new Unhealthy(rule.type() + "=" + rule.status(), condition.lastTransitionTime());
          }
          soonest = earlier(soonest, expiry.plus(SETTLE));
        }
      }
    }
    Duration patience = spec.neverReadyAfter();
    if (patience != null && neverReady(node)) { // RB-4
      Instant expiry = node.created().plus(patience);
      if (now.isAfter(expiry)) {
        return new Unhealthy("Ready missing", node.created());
      }
      soonest = earlier(soonest, expiry.plus(SETTLE));
    }
    return soonest == null ? HEALTHY : new Soon(soonest);
  }

  private static boolean neverReady(NodeFacts node) {
    return node.conditions().stream().noneMatch(condition -> condition.type().equals("Ready"));
  }

  private static Instant earlier(@Nullable Instant one, Instant other) {
    return one == null || other.isBefore(one) ? other : one;
  }
}
