package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.policy.PolicyHold;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.HealthyFloor;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Instant;
import java.util.List;

/** Why the next remediation of an unhealthy node is held back (RB-5). */
public sealed interface HoldReason {
  /** {@return the message for a user} */
  String message();

  /** {@return one word for metrics} */
  default String label() {
    return getClass().getSimpleName();
  }

  /**
   * Two reasons count as the same news if this is equal.
   *
   * @return whether an event about the other one covers this
   */
  default boolean isSameNewsAs(HoldReason other) {
    return label().equals(other.label());
  }

  /** {@return whether its node counts as neither healthy nor unhealthy} */
  default boolean isOfUncertainNode() {
    return this instanceof Undecided
        || this instanceof InMaintenance
        || this instanceof MaintenanceUnknown;
  }

  /**
   * The NodeHealthCheck is disabled.
   *
   * @param reason in one word
   */
  record Disabled(String reason, String detail) implements HoldReason {
    @Override
    public String message() {
      return "the NodeHealthCheck is disabled: " + reason + ": " + detail;
    }
  }

  /** A pause was requested. */
  record Paused(List<String> requests) implements HoldReason {
    /** Keeps an unmodifiable copy of the requests. */
    public Paused {
      requests = List.copyOf(requests);
    }

    @Override
    public String message() {
      return "paused: " + String.join(",", requests);
    }
  }

  /**
   * Too few nodes are healthy.
   *
   * @param required minimum number of healthy nodes
   */
  record TooFewHealthy(int healthy, int required) implements HoldReason {
    @Override
    public String message() {
      return healthy + " of " + required + " required nodes are healthy";
    }
  }

  /** The limit is not possible for this number of nodes. */
  record FloorUnusable(HealthyFloor floor, int observed) implements HoldReason {
    @Override
    public String message() {
      return floor + " is more than the " + observed + " nodes selected";
    }
  }

  /**
   * Too many nodes were unhealthy recently.
   *
   * @param until the end of the cooldown
   */
  record StormCooldown(Instant until) implements HoldReason {
    @Override
    public String message() {
      return "storm recovery: cooldown until " + until;
    }
  }

  /** The node has the label that excludes it. */
  record Excluded() implements HoldReason {
    @Override
    public String message() {
      return "excluded by its label " + WireNames.EXCLUDE + "=true";
    }
  }

  /** Another control-plane node is being remediated. */
  record ControlPlaneBusy(String other) implements HoldReason {
    @Override
    public String message() {
      return "control-plane node " + other + " is being remediated, one at a time";
    }
  }

  /**
   * Another client holds the node's lease.
   *
   * @param until when the lease expires without a renewal
   */
  record LeaseHeld(String holder, Instant until) implements HoldReason {
    @Override
    public String message() {
      return "the node's lease is held by " + holder + " until " + until;
    }
  }

  /** A resource of another owner blocks it. */
  record ForeignRemediation(ObjectRef resource) implements HoldReason {
    @Override
    public String message() {
      return resource + " exists and was not created by this NodeHealthCheck";
    }
  }

  /** The last remediation is being deleted, but has finalizers. */
  record RemediationEnding(ObjectRef resource) implements HoldReason {
    @Override
    public String message() {
      return "the previous " + resource + " is still being deleted";
    }
  }

  /** A remediation of ours still exists whose template is no longer named, or only later. */
  record EarlierRemediation(ObjectRef resource) implements HoldReason {
    @Override
    public String message() {
      return resource
          + " still exists, but the NodeHealthCheck no longer names its template, or names it after the next one";
    }
  }

  /** All templates have been tried. */
  record NoTemplateLeft(int tried) implements HoldReason {
    @Override
    public String message() {
      return "all remediation templates have been tried: " + tried;
    }
  }

  /** A RemediationPolicy holds it back (ACT-70). */
  record ByPolicy(PolicyHold hold) implements HoldReason {
    @Override
    public String message() {
      return hold.message();
    }

    @Override
    public String label() {
      return hold.label();
    }

    @Override
    public boolean isSameNewsAs(HoldReason other) {
      return other instanceof ByPolicy(PolicyHold that)
          && that.label().equals(hold.label())
          && that.policy().equals(hold.policy());
    }
  }

  /** Nodes are failing or recovering right now, so the decision may change in a moment (RB-6). */
  record Settling() implements HoldReason {
    @Override
    public String message() {
      return "nodes are still failing or recovering";
    }
  }

  /**
   * The expression of the NodeHealthCheck has no value for the node (RB-7).
   *
   * @param reason why
   */
  record Undecided(String reason) implements HoldReason {
    @Override
    public String message() {
      return "the expression in " + WireNames.UNHEALTHY_WHEN + " has no value: " + reason;
    }
  }

  /**
   * The node is in maintenance (MW-2).
   *
   * @param maintenance the name of the Maintenance that ends last
   * @param reason its reason; possibly empty
   * @param until when the maintenance ends
   */
  record InMaintenance(String maintenance, String reason, Instant until) implements HoldReason {
    @Override
    public String message() {
      return "in maintenance until %s: Maintenance %s%s"
          .formatted(until, maintenance, reason.isEmpty() ? "" : " (" + reason + ")");
    }
  }

  /**
   * Whether the node is in maintenance is unknown (MW-5, MW-6).
   *
   * @param why the reason
   */
  record MaintenanceUnknown(String why) implements HoldReason {
    @Override
    public String message() {
      return "cannot tell whether the node is in maintenance: " + why;
    }
  }

  /** Our own last write is still pending (N-2). */
  record AwaitingOwnWrite() implements HoldReason {
    @Override
    public String message() {
      return "the API server has not confirmed the last write yet";
    }
  }
}
