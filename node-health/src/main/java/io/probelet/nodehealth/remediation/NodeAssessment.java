package io.probelet.nodehealth.remediation;

import io.probelet.document.expression.CompiledExpression;
import io.probelet.document.expression.ExpressionResult.Decided;
import io.probelet.document.expression.ExpressionResult.Undecided;
import io.probelet.nodehealth.maintenance.NodeMaintenance;
import io.probelet.nodehealth.maintenance.NodeMaintenance.Unclear;
import io.probelet.nodehealth.maintenance.NodeMaintenance.Window;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth;
import io.probelet.nodehealth.remediation.NodeExpression.Course;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.UnhealthyCondition;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The health of a node at a moment.
 *
 * @param health by the first rule that makes it unhealthy: conditions, then its age without a
 *     report, then the expression
 * @param next when to evaluate it again even if it does not change; null for never
 */
record NodeAssessment(NodeHealth health, @Nullable Instant next) {
  /** The type of an unhealthy node's condition if the expression made it so. */
  static final String BY_EXPRESSION = "unhealthy-when";

  /**
   * A node that an expression makes unhealthy within this time is soon unhealthy, as one whose
   * condition matches already: when many fail at once, the first must not find the others healthy.
   * A node that only will be too old one day is healthy until then.
   */
  static final Duration SOON = Duration.ofHours(1);

  /** Evaluates a node, which may be in maintenance (MW-2). */
  static NodeAssessment of(NodeHealthCheckSpec spec, NodeFacts node, Instant now) {
    NodeAssessment plain = counted(spec, node, Instant.MIN, now);
    return switch (node.maintenance()) {
      case null -> plain;
      case Unclear(String why) ->
          plain.suspended(new HoldReason.MaintenanceUnknown(why), plain.next());
      case Window(String name, String reason, Instant until) -> {
        Instant end = until.plus(NodeMaintenance.RECHECK);
        yield now.isBefore(end)
            ? plain.suspended(new HoldReason.InMaintenance(name, reason, until), end)
            : counted(spec, node, until, now); // MW-3: a reboot meanwhile is no problem afterwards
      }
    };
  }

  private NodeAssessment suspended(HoldReason reason, @Nullable Instant until) {
    return health instanceof NodeHealth.Unhealthy
        ? new NodeAssessment(new NodeHealth.Suspended(reason), until)
        : this;
  }

  /**
   * Evaluates a node whose conditions count from a moment.
   *
   * @param from no condition counts from before it
   */
  private static NodeAssessment counted(
      NodeHealthCheckSpec spec, NodeFacts node, Instant from, Instant now) {
    Instant soonest = null;
    for (UnhealthyCondition rule : spec.unhealthyConditions()) {
      // a missing condition never matches
      for (NodeCondition condition : node.conditions()) {
        if (condition.type().equals(rule.type()) && condition.status().equals(rule.status())) {
          Instant since = later(condition.lastTransitionTime(), from);
          Instant expiry = since.plus(rule.duration());
          if (now.isAfter(expiry)) {
            return lasting(new NodeHealth.Unhealthy(rule.type(), rule.status(), since));
          }
          soonest = earlier(soonest, expiry.plus(NodeHealth.SETTLE));
        }
      }
    }
    Duration limit = spec.neverReadyAfter();
    if (limit != null && !node.hasReadyCondition()) { // its kubelet never reported (RB-4)
      Instant since = later(node.created(), from);
      Instant expiry = since.plus(limit);
      if (now.isAfter(expiry)) {
        return lasting(new NodeHealth.Unhealthy("Ready", "", since));
      }
      soonest = earlier(soonest, expiry.plus(NodeHealth.SETTLE));
    }
    CompiledExpression expression = spec.unhealthyWhen();
    NodeAssessment otherwise = ofConditions(node, soonest);
    return expression == null
        ? otherwise
        : ofExpression(new NodeExpression(expression, node, from).at(now), otherwise, from, now);
  }

  private static NodeAssessment lasting(NodeHealth health) {
    return new NodeAssessment(health, null);
  }

  private static NodeAssessment ofConditions(NodeFacts node, @Nullable Instant soonest) {
    if (soonest != null) {
      return new NodeAssessment(new NodeHealth.Soon(soonest), soonest);
    }
    return lasting(node.hasReadyCondition() ? NodeHealth.HEALTHY : NodeHealth.UNREPORTED);
  }

  /** RB-7: an expression can only add to what conditions say. */
  private static NodeAssessment ofExpression(
      Course course, NodeAssessment otherwise, Instant from, Instant now) {
    Instant until = course.until();
    Instant next = until == null ? otherwise.next() : earlier(otherwise.next(), until);
    if (course.result() instanceof Decided(boolean holds) && holds) {
      return new NodeAssessment(
          new NodeHealth.Unhealthy(BY_EXPRESSION, "True", later(course.since(), from)), next);
    }
    if (otherwise.health() instanceof NodeHealth.Soon) {
      return new NodeAssessment(otherwise.health(), next);
    }
    if (course.result() instanceof Undecided(String reason)) {
      return new NodeAssessment(new NodeHealth.Undecided(reason), next);
    }
    if (until == null || !(course.then() instanceof Decided(boolean then) && then)) {
      return new NodeAssessment(otherwise.health(), next);
    }
    Instant nearly = until.minus(SOON);
    return nearly.isAfter(now)
        ? new NodeAssessment(otherwise.health(), nearly)
        : new NodeAssessment(new NodeHealth.Soon(until), until);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isBefore(other) ? other : one;
  }

  private static Instant earlier(@Nullable Instant one, Instant other) {
    return one == null || other.isBefore(one) ? other : one;
  }
}
