package io.probelet.nodehealth.policy;

import io.probelet.document.expression.CompiledExpression;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.NodeCount;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The limits of a policy. */
public sealed interface PolicyLimits {
  /** Any kind of remediation, in lists of kinds. */
  String ANY_KIND = "*";

  /**
   * A valid spec.
   *
   * @param windows when remediations may start; empty for always
   * @param blackouts when none may start, whatever the windows allow
   * @param maxNodes maximum number of nodes with a remediation; null for no limit
   * @param maxNodesPerZone maximum number of nodes with a remediation in one zone; null for no
   *     limit
   * @param maxPerHour maximum number of remediations that start within 60 minutes; null for no
   *     limit
   * @param backstop when a node gets no further remediation; null for never
   * @param approval the kinds of remediation that need a human's approval, {@link #ANY_KIND} for
   *     all
   * @param holdWhen an expression over a node that holds its remediations back; null for none
   * @param dryRun whether decisions are only reported
   * @param paused whether no remediation may start
   */
  record Spec(
      List<Window> windows,
      List<Blackout> blackouts,
      @Nullable NodeCount maxNodes,
      @Nullable Integer maxNodesPerZone,
      String zoneLabel,
      @Nullable Integer maxPerHour,
      @Nullable Backstop backstop,
      Set<String> approval,
      @Nullable CompiledExpression holdWhen,
      boolean dryRun,
      boolean paused)
      implements PolicyLimits {
    /** Copies the collections. */
    public Spec {
      windows = List.copyOf(windows);
      blackouts = List.copyOf(blackouts);
      approval = Set.copyOf(approval);
    }

    /** {@return whether a kind of remediation needs a human's approval} */
    boolean waitsForApproval(String kind) {
      return approval.contains(kind) || approval.contains(ANY_KIND);
    }
  }

  /**
   * An invalid spec, whose limits are unknown (ACT-71).
   *
   * @param problem the error
   */
  record Unreadable(String problem) implements PolicyLimits {}

  /**
   * When a node gets no further remediation.
   *
   * @param times number of remediations, one or more
   * @param within period in which they started
   */
  record Backstop(int times, Duration within) {}
}
