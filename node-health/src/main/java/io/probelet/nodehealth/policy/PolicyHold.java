package io.probelet.nodehealth.policy;

import io.probelet.nodehealth.policy.PolicyLimits.Backstop;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.NodeCount;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Why a policy holds back a remediation. If there are several reasons, the first class in this
 * order is reported.
 */
public sealed interface PolicyHold {
  /** {@return the policy's name; empty if no policy could be read} */
  String policy();

  /** {@return the reason, without the policy's name} */
  String reason();

  /** {@return the message for a user} */
  default String message() {
    return "RemediationPolicy " + policy() + ": " + reason();
  }

  /** {@return one word for metrics} */
  default String label() {
    return "Policy" + getClass().getSimpleName();
  }

  /** {@return whether it concerns only this node; otherwise other nodes wait for the same} */
  default boolean isOfOneNode() {
    return false;
  }

  /** {@return the rank; of several holds the lowest is reported} */
  private int rank() {
    return switch (this) {
      case Unknown _ -> 0;
      case Unreadable _ -> 1;
      case Paused _ -> 2;
      case InBlackout _ -> 3;
      case OutsideWindows _ -> 4;
      case Undecided _ -> 5;
      case ByExpression _ -> 6;
      case GivenUp _ -> 7;
      case AwaitingApproval _ -> 8;
      case HistoryFull _ -> 9;
      case HourlyLimit _ -> 10;
      case NodeLimit _ -> 11;
      case ZoneLimit _ -> 12;
      case DryRun _ -> 13;
    };
  }

  /**
   * Chooses the hold to report.
   *
   * @param one a hold; null for none
   * @return the hold of the lower rank
   */
  static PolicyHold worse(@Nullable PolicyHold one, PolicyHold other) {
    return one == null || other.rank() < one.rank() ? other : one;
  }

  /**
   * Policies could not be listed (ACT-71).
   *
   * @param why the missing permission
   */
  record Unknown(String why) implements PolicyHold {
    @Override
    public String policy() {
      return "";
    }

    @Override
    public String reason() {
      return why;
    }

    @Override
    public String message() {
      return "the RemediationPolicies could not be read: " + why;
    }
  }

  /**
   * The policy's spec is invalid (ACT-71).
   *
   * @param problem the error
   */
  record Unreadable(String policy, String problem) implements PolicyHold {
    @Override
    public String reason() {
      return "invalid spec, no remediation starts: " + problem;
    }
  }

  /** The policy is paused (ACT-72). */
  record Paused(String policy) implements PolicyHold {
    @Override
    public String reason() {
      return "paused";
    }
  }

  /** A blackout is active (ACT-73). */
  record InBlackout(String policy, Instant until) implements PolicyHold {
    @Override
    public String reason() {
      return "blackout until " + until;
    }
  }

  /**
   * No window is open (ACT-74).
   *
   * @param next when the next one opens; null if none does within years
   */
  record OutsideWindows(String policy, @Nullable Instant next) implements PolicyHold {
    @Override
    public String reason() {
      return next == null
          ? "no window is open and none opens in the coming years"
          : "no window is open; the next one opens " + next;
    }
  }

  /**
   * The policy's expression has no value for the node (ACT-81).
   *
   * @param why the reason
   */
  record Undecided(String policy, String node, String why) implements PolicyHold {
    @Override
    public String reason() {
      return "holdWhen has no value for node %s: %s".formatted(node, why);
    }

    @Override
    public boolean isOfOneNode() {
      return true;
    }
  }

  /** The policy's expression is true for the node (ACT-81). */
  record ByExpression(String policy, String node) implements PolicyHold {
    @Override
    public String reason() {
      return "holdWhen is true for node " + node;
    }

    @Override
    public boolean isOfOneNode() {
      return true;
    }
  }

  /**
   * The node was remediated too often (ACT-75).
   *
   * @param kind the kind of the next remediation
   * @param until when the history has expired
   */
  record GivenUp(String policy, String node, String kind, Backstop backstop, Instant until)
      implements PolicyHold {
    @Override
    public String reason() {
      return "node %s was remediated %d times within %s; gave up until %s, or until you annotate the node with %s=%s"
          .formatted(
              node,
              backstop.times(),
              DurationText.of(backstop.within()),
              until,
              RemediationPolicy.APPROVED,
              kind);
    }

    @Override
    public boolean isOfOneNode() {
      return true;
    }
  }

  /** A human must approve it (ACT-76). */
  record AwaitingApproval(String policy, String node, String kind) implements PolicyHold {
    @Override
    public String reason() {
      return "%s of node %s needs approval: annotate the node with %s=%s"
          .formatted(kind, node, RemediationPolicy.APPROVED, kind);
    }

    @Override
    public boolean isOfOneNode() {
      return true;
    }
  }

  /**
   * The history is full (ACT-79).
   *
   * @param until when the oldest entry expires
   */
  record HistoryFull(String policy, Instant until) implements PolicyHold {
    @Override
    public String reason() {
      return "its history is full (%d remediations) until %s"
          .formatted(PolicyGate.MAX_HISTORY, until);
    }
  }

  /**
   * The hourly limit is reached (ACT-77).
   *
   * @param max the limit
   * @param until when the next remediation may start; null for never
   */
  record HourlyLimit(String policy, int begun, int max, @Nullable Instant until)
      implements PolicyHold {
    @Override
    public String reason() {
      return "%d started within the last hour, limit %d%s"
          .formatted(begun, max, until == null ? "" : "; the next may start at " + until);
    }
  }

  /**
   * The maximum number of nodes have a remediation (ACT-78).
   *
   * @param allowed the limit
   */
  record NodeLimit(String policy, int atWork, int allowed, NodeCount max) implements PolicyHold {
    @Override
    public String reason() {
      return "%d being remediated, limit %d (maxNodes %s)".formatted(atWork, allowed, max);
    }
  }

  /**
   * The maximum number of nodes of the zone have a remediation (ACT-78).
   *
   * @param zone the zone; empty for nodes without one
   * @param allowed the limit
   */
  record ZoneLimit(String policy, String zone, int atWork, int allowed) implements PolicyHold {
    @Override
    public String reason() {
      return "%d in %s being remediated, limit %d"
          .formatted(atWork, zone.isEmpty() ? "no zone" : "zone " + zone, allowed);
    }
  }

  /** The policy is in dry run (ACT-80). */
  record DryRun(String policy, String node, String kind) implements PolicyHold {
    @Override
    public String reason() {
      return "dry run: would create %s for node %s".formatted(kind, node);
    }

    @Override
    public boolean isOfOneNode() {
      return true;
    }
  }
}
