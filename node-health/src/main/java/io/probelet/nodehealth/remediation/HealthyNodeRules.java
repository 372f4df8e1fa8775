package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.remediation.Plan.PlanDraft;
import io.probelet.nodehealth.remediation.RemediationAction.DeleteRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.MarkHealthyDelay;
import io.probelet.nodehealth.remediation.RemediationAction.ReleaseLease;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The end of remediation: the node is healthy or gone. */
final class HealthyNodeRules {
  private final NodeHealthCheckSpec spec;
  private final StatusEntries entries;
  private final LeaseRules leases;
  private final PlanDraft draft;
  private final Instant now;
  private final Instant stamp;

  HealthyNodeRules(
      NodeHealthCheckSpec spec,
      StatusEntries entries,
      LeaseRules leases,
      PlanDraft draft,
      Instant now,
      Instant stamp) {
    this.spec = spec;
    this.entries = entries;
    this.leases = leases;
    this.draft = draft;
    this.now = now;
    this.stamp = stamp;
  }

  /** ends the remediations of a healthy node; it stays listed until all are gone. */
  void end(NodeFacts node, List<ObservedRemediation> ours) {
    boolean delayed = false;
    for (ObservedRemediation remediation : ours) {
      delayed |= !remediation.deleting() && isDelayed(node, remediation);
    }
    UnhealthyNode old = entries.before(node.name());
    Instant since = old == null ? null : old.conditionsHealthyTimestamp();
    draft.list(
        new UnhealthyNode(
            node.name(),
            entries.of(node.name(), ours),
            since == null ? stamp : since, // once
            delayed));
  }

  /** deletes a remediation, or returns that it must wait. */
  private boolean isDelayed(NodeFacts node, ObservedRemediation remediation) {
    Duration delay = spec.healthyDelay();
    if (delay.isZero() || node.confirmedHealthy()) {
      delete(node.name(), remediation);
      return false;
    }
    if (delay.isNegative()) {
      return true;
    }
    Optional<Instant> since = remediation.moment(WireNames.HEALTHY_DELAY);
    if (since.isEmpty()) {
      draft.act(new MarkHealthyDelay(node.name(), remediation, stamp));
    }
    Instant end = since.orElse(stamp).plus(delay);
    if (since.isPresent() && !now.isBefore(end)) {
      delete(node.name(), remediation);
      return false;
    }
    draft.wakeAt(end);
    return true;
  }

  /** ends the remediations of a node that is gone. */
  void endOrphans(String node, List<ObservedRemediation> ours, @Nullable NodeLease lease) {
    List<ObservedRemediation> waiting =
        ours.stream()
            .filter(remediation ->
                remediation.permanentNodeDeletionExpected()
                    && remediation.succeeded() != ObservedRemediation.Success.YES)
            .toList();
    if (waiting.isEmpty()) {
      release(node, lease);
    } else {
      draft.list(new UnhealthyNode(node, entries.of(node, ours), null, false));
    }
    for (ObservedRemediation remediation : ours) {
      if (!remediation.deleting() && !waiting.contains(remediation)) {
        delete(node, remediation);
      }
    }
  }

  /** releases the lease; a lease of another holder is never touched. */
  void release(String node, @Nullable NodeLease lease) {
    if (lease != null && leases.isOurs(lease)) {
      draft.act(new ReleaseLease(node, lease));
    }
  }

  private void delete(String node, ObservedRemediation remediation) {
    draft.act(new DeleteRemediation(node, remediation));
    draft.emit(node, false, "RemediationRemoved", EventTexts.removed(remediation.ref()));
  }
}
