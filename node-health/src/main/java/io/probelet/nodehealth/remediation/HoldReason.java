package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.policy.PolicyHold;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.HealthyFloor;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Instant;
import java.util.List;

/** Why an unhealthy node is not remediated, or not remediated further (RB-5). */
public sealed interface HoldReason {
  /** {@return the sentence for a user} */
  String message();

  /** {@return one word for metrics} */
  default String label() {
    return getClass().getSimpleName();
  }

  /**
   * Two reasons are the same news unless this differs.
   *
   * @return whether an event about the other one covers this
   */
  default boolean isSameNewsAs(HoldReason other) {
    return label().equals(other.label());
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
   * @param required how many have to be
   */
  record TooFewHealthy(int healthy, int required) implements HoldReason {
    @Override
    public String message() {
      return healthy + " of " + required + " required nodes are healthy";
    }
  }

  /** The floor makes no sense for so many nodes. */
  record FloorUnusable(HealthyFloor floor, int observed) implements HoldReason {
    @Override
    public String message() {
      return floor + " is more than the " + observed + " nodes selected";
    }
  }

  /**
   * Too many nodes were unhealthy a short while ago.
   *
   * @param until when that is forgotten
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
   * Someone else works on the node.
   *
   * @param until when the lease ends unless it is renewed
   */
  record LeaseHeld(String holder, Instant until) implements HoldReason {
    @Override
    public String message() {
      return "the node's lease is held by " + holder + " until " + until;
    }
  }

  /** A resource that is not ours is in the way. */
  record ForeignRemediation(ObjectRef resource) implements HoldReason {
    @Override
    public String message() {
      return resource + " exists and was not created by this NodeHealthCheck";
    }
  }

  /** The last remediation has been deleted but its finalizers are still at work. */
  record RemediationEnding(ObjectRef resource) implements HoldReason {
    @Override
    public String message() {
      return "the previous " + resource + " is still being deleted";
    }
  }

  /**
   * A remediation of ours is still there, made from a template that is not named any more.
   */
  record EarlierRemediation(ObjectRef resource) implements HoldReason {
    @Override
    public String message() {
      return resource + " still exists, but the NodeHealthCheck no longer names its template";
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

  /** Nodes are failing or recovering right now; the next moment may show another picture (RB-6). */
  record Settling() implements HoldReason {
    @Override
    public String message() {
      return "nodes are still failing or recovering";
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
