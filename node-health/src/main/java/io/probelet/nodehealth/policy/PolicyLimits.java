package io.probelet.nodehealth.policy;

import io.probelet.nodehealth.resource.NodeHealthCheckSpec.NodeCount;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The limits of a policy. */
public sealed interface PolicyLimits {
  /** Any kind of remediation, where kinds are named. */
  String ANY_KIND = "*";

  /**
   * A valid spec.
   *
   * @param windows when remediations may begin; empty for always
   * @param blackouts when none may begin, whatever the windows say
   * @param maxNodes most nodes at work at once; null for any number
   * @param maxNodesPerZone most nodes at work at once in one zone; null for any number
   * @param maxPerHour most remediations that begin within 60 minutes; null for any number
   * @param backstop when a node is given up; null for never
   * @param approval the kinds of remediation that wait for a human, {@link #ANY_KIND} for all
   * @param dryRun whether everything is decided and nothing done
   * @param paused whether nothing may begin
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
      boolean dryRun,
      boolean paused)
      implements PolicyLimits {
    /** Copies the collections. */
    public Spec {
      windows = List.copyOf(windows);
      blackouts = List.copyOf(blackouts);
      approval = Set.copyOf(approval);
    }

    /** {@return whether a kind of remediation waits for a human} */
    boolean waitsForApproval(String kind) {
      return approval.contains(kind) || approval.contains(ANY_KIND);
    }
  }

  /**
   * An invalid spec, whose limits are unknown (ACT-71).
   *
   * @param problem what is wrong with it
   */
  record Unreadable(String problem) implements PolicyLimits {}

  /**
   * When a node gets no further remediation.
   *
   * @param times after so many remediations, one or more
   * @param within that began within this time
   */
  record Backstop(int times, Duration within) {}
}
