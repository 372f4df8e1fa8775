package io.probelet.nodehealth.controller;

import io.probelet.nodehealth.resource.NodeHealthCheckStatus.Phase;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of remediation, for people (RB-5).
 *
 * @param checks one entry for each NodeHealthCheck, by name
 */
public record RemediationReport(List<CheckReport> checks) {
  /** Keeps an unmodifiable copy of the list. */
  public RemediationReport {
    checks = List.copyOf(checks);
  }

  /**
   * The state of one NodeHealthCheck.
   *
   * @param phase in one word
   * @param nodes its nodes that are not healthy, by name
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
   * The state of one node.
   *
   * @param condition the unhealthy condition, as {@code Ready=Unknown}; null if there is none any
   *     more
   * @param since its start; null if there is none
   * @param remediations the remediations started for it, first to last
   * @param hold why its next remediation is held back; null if it is not
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
   * Why a node is held back.
   *
   * @param reason in one word
   */
  public record Hold(String reason, String message) {}
}
