package io.probelet.fleet;

import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Healthy;
import io.probelet.web.remediation.RemediationView;
import io.probelet.web.remediation.RemediationView.CheckView;
import io.probelet.web.remediation.RemediationView.NodeView;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The leader's answer about one NodeHealthCheck. A hostile answer may lack fields or name other
 * nodes: only nodes of the NodeHealthCheck count.
 */
record LeaderHolds(CheckView said, SortedMap<String, NodeView> held) {
  /**
   * {@return what it says; empty if it leads nothing, or does not know the NodeHealthCheck}
   *
   * @param view its answer; null if it could not be asked
   */
  static Optional<LeaderHolds> of(@Nullable RemediationView view, CheckPlan plan) {
    if (view == null || !view.leading()) {
      return Optional.empty();
    }
    return view.nodeHealthChecks().stream()
        .filter(check -> plan.check().name().equals(check.name()))
        .findFirst()
        .map(check -> of(check, plan));
  }

  private static LeaderHolds of(CheckView check, CheckPlan plan) {
    SortedMap<String, NodeView> held = new TreeMap<>();
    for (NodeView node : check.unhealthyNodes()) {
      @Nullable String name = node.name(); // which JSON may leave out
      if (name != null && node.heldBack() != null && mayWait(plan, name)) {
        held.put(name, node);
      }
    }
    return new LeaderHolds(check, held);
  }

  /** It was asked some seconds ago: a node that is healthy since then waits for nothing. */
  private static boolean mayWait(CheckPlan plan, String node) {
    return plan.census().health(node).filter(health -> !(health instanceof Healthy)).isPresent();
  }
}
