package io.probelet.nodehealth.controller;

import io.probelet.nodehealth.resource.NodeHealthCheckStatus.Phase;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How remediation stands, for people (RB-5).
 *
 * @param checks one entry for each NodeHealthCheck, by name
 */
public record RemediationReport(List<CheckReport> checks) {
  /** Keeps an unmodifiable copy of the list. */
  public RemediationReport {
    checks = List.copyOf(checks);
  }

  /**
   * How one NodeHealthCheck stands.
   *
   * @param phase in one word
   * @param nodes those that are not, by name
   */
  public record CheckReport(
      String name,
      Phase phase,
      String reason,
      int observedNodes,
      int healthyNodes,
      List<NodeReport> nodes) {
    /** Keeps an unmodifiable copy of the list. */
    public CheckReport {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * How one node stands.
   *
   * @param condition what speaks against it, as {@code Ready=Unknown}; null if nothing does any
   *     more
   * @param since since when; null if nothing speaks against it
   * @param remediations what was started for it, first to last
   * @param hold why it is not remediated, or not further; null if it is not held back
   */
  public record NodeReport(
      String name,
      @Nullable String condition,
      @Nullable Instant since,
      List<TrackedRemediation> remediations,
      @Nullable Hold hold) {
    /** Keeps an unmodifiable copy of the list. */
    public NodeReport {
      remediations = List.copyOf(remediations);
    }
  }

  /**
   * Why a node waits.
   *
   * @param reason in one word
   */
  public record Hold(String reason, String message) {}
}
