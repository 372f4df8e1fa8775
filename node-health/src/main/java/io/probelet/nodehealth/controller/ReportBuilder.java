package io.probelet.nodehealth.controller;

import io.probelet.nodehealth.controller.RemediationListener.NodeUnderRemediation;
import io.probelet.nodehealth.controller.RemediationReport.CheckReport;
import io.probelet.nodehealth.controller.RemediationReport.Hold;
import io.probelet.nodehealth.controller.RemediationReport.NodeReport;
import io.probelet.nodehealth.remediation.HoldReason;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Unhealthy;
import io.probelet.nodehealth.remediation.Plan;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Builds the report of each NodeHealthCheck, with one reason for each node that is held back
 * (RB-5).
 */
final class ReportBuilder {
  private ReportBuilder() {}

  /**
   * Reports the state of one.
   *
   * @param unsettled why no plan can be made for it; null if it can
   */
  static CheckReport report(WatchedHealthCheck check, @Nullable String unsettled) {
    NodeHealthCheckStatus status = check.record().decided();
    Map<String, Unhealthy> unhealthy = check.unhealthy();
    Map<String, HoldReason> holds =
        check.plan().map(Plan::memory).map(memory -> memory.nodes()).orElse(Map.of());
    SortedSet<String> names = new TreeSet<>(unhealthy.keySet());
    status.unhealthyNodes().forEach(node -> names.add(node.name()));
    holds.forEach((node, hold) -> {
      if (hold.isOfUncertainNode()) {
        names.add(node);
      }
    });
    List<NodeReport> nodes = new ArrayList<>();
    for (String name : names) {
      Unhealthy verdict = unhealthy.get(name);
      HoldReason hold = holds.get(name);
      nodes.add(
          new NodeReport(
              name,
              verdict == null ? null : verdict.condition(),
              verdict == null ? null : verdict.since(),
              remediations(status, name),
              hold(hold, unsettled)));
    }
    return new CheckReport(
        check.name(),
        status.phase(),
        unsettled == null ? status.reason() : unsettled,
        status.observedNodes(),
        status.healthyNodes(),
        nodes);
  }

  static Set<NodeUnderRemediation> ongoing(Plan plan) {
    return plan.status().unhealthyNodes().stream()
        .flatMap(node ->
            node.remediations().stream()
                .map(entry -> NodeUnderRemediation.of(node.name(), entry.resource())))
        .collect(Collectors.toSet());
  }

  static Map<String, Integer> heldBack(Plan plan) {
    Map<String, Integer> counts = new TreeMap<>();
    plan.memory().nodes().values().forEach(hold -> counts.merge(hold.label(), 1, Integer::sum));
    return counts;
  }

  private static @Nullable Hold hold(@Nullable HoldReason hold, @Nullable String unsettled) {
    if (unsettled != null) {
      return new Hold("NotReady", unsettled);
    }
    return hold == null ? null : new Hold(hold.label(), hold.message());
  }

  private static List<TrackedRemediation> remediations(NodeHealthCheckStatus status, String node) {
    return status.unhealthyNode(node).map(UnhealthyNode::remediations).orElse(List.of());
  }
}
