package io.probelet.web.remediation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.probelet.nodehealth.controller.RemediationReport;
import io.probelet.nodehealth.controller.RemediationReport.CheckReport;
import io.probelet.nodehealth.controller.RemediationReport.Hold;
import io.probelet.nodehealth.controller.RemediationReport.NodeReport;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.web.api.JsonDefaults;
import io.probelet.web.api.ViewJson;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code /api/v1/remediation}.
 *
 * @param leading whether the agent that answers is the leader; only then are there checks
 * @param leader the leader's identity; null if nobody leads
 * @param nodeHealthChecks one entry each, by name
 */
@JsonInclude(Include.NON_NULL)
public record RemediationView(
    boolean leading, @Nullable String leader, List<CheckView> nodeHealthChecks) {
  /** Takes what another agent leaves out for empty. */
  public RemediationView {
    nodeHealthChecks = JsonDefaults.list(nodeHealthChecks);
  }

  /**
   * A NodeHealthCheck.
   *
   * @param phase Disabled, Paused, Remediating or Enabled
   */
  public record CheckView(
      String name,
      String phase,
      String reason,
      int observedNodes,
      int healthyNodes,
      List<NodeView> unhealthyNodes) {
    /** Takes what another agent leaves out for empty. */
    public CheckView {
      name = JsonDefaults.text(name);
      phase = JsonDefaults.text(phase);
      reason = JsonDefaults.text(reason);
      unhealthyNodes = JsonDefaults.list(unhealthyNodes);
    }
  }

  /**
   * An unhealthy node, or one whose remediation has not ended yet.
   *
   * @param condition what speaks against it, as {@code Ready=Unknown}; absent if nothing does
   * @param since since when; absent if nothing does
   * @param remediations what was started for it, first to last
   * @param heldBack the reason in one word; absent if it is not held back
   * @param why the reason in a sentence; absent if it is not held back
   */
  @JsonInclude(Include.NON_NULL)
  public record NodeView(
      String name,
      @Nullable String condition,
      @Nullable String since,
      List<StartedView> remediations,
      @Nullable String heldBack,
      @Nullable String why) {
    /** Takes what another agent leaves out for empty. */
    public NodeView {
      name = JsonDefaults.text(name);
      remediations = JsonDefaults.list(remediations);
    }
  }

  /**
   * A remediation.
   *
   * @param namespace its namespace; absent if it has none
   * @param timedOut when it was given up; absent if it was not
   */
  @JsonInclude(Include.NON_NULL)
  public record StartedView(
      String kind,
      @Nullable String namespace,
      String name,
      String started,
      @Nullable String timedOut) {
    /** Takes what another agent leaves out for empty. */
    public StartedView {
      kind = JsonDefaults.text(kind);
      name = JsonDefaults.text(name);
      started = JsonDefaults.text(started);
    }
  }

  /**
   * {@return the answer of one who may be the leader}
   *
   * @param report what the leader knows; empty for who does not lead
   * @param leader the leader's identity; null if nobody leads
   */
  public static RemediationView of(Optional<RemediationReport> report, @Nullable String leader) {
    return new RemediationView(
        report.isPresent(),
        leader,
        report.map(RemediationReport::checks).orElse(List.of()).stream()
            .map(RemediationView::check)
            .toList());
  }

  /**
   * Reads an answer.
   *
   * @throws IOException if it is none
   */
  public static RemediationView parse(byte[] json) throws IOException {
    return ViewJson.read(json, RemediationView.class);
  }

  /** {@return it as JSON} */
  public String json() {
    return ViewJson.write(this);
  }

  private static CheckView check(CheckReport check) {
    return new CheckView(
        check.name(),
        check.phase().label(),
        check.reason(),
        check.observedNodes(),
        check.healthyNodes(),
        check.nodes().stream().map(RemediationView::node).toList());
  }

  private static NodeView node(NodeReport node) {
    Hold hold = node.hold();
    return new NodeView(
        node.name(),
        node.condition(),
        text(node.since()),
        node.remediations().stream().map(RemediationView::started).toList(),
        hold == null ? null : hold.reason(),
        hold == null ? null : hold.message());
  }

  private static StartedView started(TrackedRemediation remediation) {
    return new StartedView(
        remediation.resource().kind(),
        remediation.resource().namespace(),
        remediation.resource().name(),
        Objects.requireNonNull(text(remediation.started())),
        text(remediation.timedOut()));
  }

  private static @Nullable String text(@Nullable Instant moment) {
    return moment == null ? null : moment.toString();
  }
}
