package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.remediation.HoldReason.ControlPlaneBusy;
import io.probelet.nodehealth.remediation.HoldReason.EarlierRemediation;
import io.probelet.nodehealth.remediation.HoldReason.Excluded;
import io.probelet.nodehealth.remediation.HoldReason.ForeignRemediation;
import io.probelet.nodehealth.remediation.HoldReason.LeaseHeld;
import io.probelet.nodehealth.remediation.HoldReason.NoTemplateLeft;
import io.probelet.nodehealth.remediation.HoldReason.RemediationEnding;
import io.probelet.nodehealth.remediation.LeaseRules.Access;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth;
import io.probelet.nodehealth.remediation.NodeLease.LeaseClaim;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.remediation.Plan.PlanDraft;
import io.probelet.nodehealth.remediation.RemediationAction.ClaimLease;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.MarkTimedOut;
import io.probelet.nodehealth.remediation.RemediationAction.ReleaseLease;
import io.probelet.nodehealth.remediation.TemplateLookup.Template;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Decides the actions for one unhealthy node. */
final class UnhealthyNodeRules {
  private static final Duration RECHECK = Duration.ofMinutes(1);

  private final ClusterView view;
  private final StatusEntries entries;
  private final LeaseRules leases;
  private final PlanDraft draft;
  private final Instant now;
  private final Instant stamp;
  private final RemediationLimits policies;

  UnhealthyNodeRules(
      ClusterView view,
      StatusEntries entries,
      LeaseRules leases,
      PlanDraft draft,
      Instant now,
      Instant stamp) {
    this.view = view;
    this.entries = entries;
    this.leases = leases;
    this.draft = draft;
    this.now = now;
    this.stamp = stamp;
    this.policies = new RemediationLimits(view, draft, now);
  }

  /**
   * Decides the due actions for a node, and lists it.
   *
   * @param ours its remediations of ours, oldest first
   */
  void remediate(NodeFacts node, List<ObservedRemediation> ours) {
    List<TrackedRemediation> tracked = new ArrayList<>(entries.of(node.name(), ours));
    NodeLease lease = view.leases().get(NodeLease.nameFor(node.name()));
    RemediationStep step = current(tracked);
    ObservedRemediation earlier = step == null ? null : earlier(node, step, ours, tracked);
    if (step == null) {
      releaseOverdue(node, lease);
      draft.hold(node.name(), new NoTemplateLeft(view.nhc().spec().steps().size()));
    } else if (earlier != null) {
      awaitEarlier(node, step, earlier, lease, tracked);
    } else {
      ours.stream()
          .filter(remediation -> remediation.belongsTo(node.name(), step))
          .findFirst()
          .ifPresentOrElse(
              remediation -> goOn(node, step, remediation, lease, tracked),
              () -> start(node, step, lease, !ours.isEmpty()));
    }
    draft.decided(node.name());
    draft.list(new UnhealthyNode(node.name(), tracked, null, false));
  }

  /**
   * a remediation from a template that is no longer named, or that a new one precedes, and
   * that was not given up.
   */
  private static @Nullable ObservedRemediation earlier(
      NodeFacts node,
      RemediationStep step,
      List<ObservedRemediation> ours,
      List<TrackedRemediation> tracked) {
    return ours.stream()
        .filter(one -> !one.belongsTo(node.name(), step))
        .filter(one -> !one.annotations().containsKey(WireNames.TIMED_OUT))
        .filter(one ->
            tracked.stream()
                .noneMatch(entry -> entry.uid().equals(one.uid()) && entry.timedOut() != null))
        .findFirst()
        .orElse(null);
  }

  /** two remediators must not work on one node, so the other template's step is later. */
  private void awaitEarlier(
      NodeFacts node,
      RemediationStep step,
      ObservedRemediation earlier,
      @Nullable NodeLease lease,
      List<TrackedRemediation> tracked) {
    NodeLease held = lease != null && leases.isOurs(lease) ? lease : null;
    Instant end = LeaseRules.overdueAt(held == null ? earlier.created() : held.acquireTime());
    if (earlier.succeeded() == Success.NO || now.isAfter(end)) {
      if (!isWithheld(node)) {
        giveUp(node, earlier, tracked);
      }
      return;
    }
    draft.hold(node.name(), new EarlierRemediation(earlier.ref()));
    draft.wakeAt(end.plus(NodeHealth.SETTLE));
    if (held != null) {
      keep(node, step, held);
    }
  }

  /** the first step that has not been given up. */
  private @Nullable RemediationStep current(List<TrackedRemediation> tracked) {
    return view.nhc().spec().steps().stream()
        .filter(step -> tracked.stream().noneMatch(entry -> isGivenUp(entry, step)))
        .findFirst()
        .orElse(null);
  }

  private static boolean isGivenUp(TrackedRemediation entry, RemediationStep step) {
    return entry.timedOut() != null && entry.isFor(step);
  }

  private void start(
      NodeFacts node, RemediationStep step, @Nullable NodeLease lease, boolean goingOn) {
    if (isWithheld(node)) { // too few healthy, a storm, excluded
      return;
    }
    HoldReason controlPlane = controlPlaneHold(node);
    if (controlPlane != null) { // one control-plane node at a time
      draft.hold(node.name(), controlPlane);
      draft.wakeAt(now.plus(RECHECK));
      return;
    }
    if (!(view.templates().get(step.template()) instanceof Template template)) {
      throw new IllegalStateException(step.template() + " was found when the pass began");
    }
    RemediationDraft remediation = RemediationDraft.of(view.nhc(), node, step, template);
    Optional<ObservedRemediation> foreign =
        view.remediations().around(node.name()).stream()
            .filter(other -> remediation.isBlockedBy(other, node.name(), step))
            .findFirst();
    if (foreign.isPresent()) { // resources of other owners are never touched
      ObjectRef ref = foreign.get().ref();
      HoldReason reason =
          foreign.get().isOwnedBy(view.nhc())
              ? new EarlierRemediation(ref)
              : new ForeignRemediation(ref);
      draft.hold(node.name(), reason);
      return;
    }
    // A remediator works on a node only while we hold its lease.
    switch (leases.obtain(lease, node, step, goingOn, now)) {
      case Access.Refused(String holder, Instant until) -> {
        draft.hold(node.name(), new LeaseHeld(holder, until));
        draft.wakeAt(now.plus(RECHECK));
      }
      case Access.Claim(LeaseClaim claim) -> create(node, remediation, claim);
      case Access.Granted _ -> create(node, remediation, null);
    }
  }

  private void create(NodeFacts node, RemediationDraft wanted, @Nullable LeaseClaim claim) {
    Instant quiet = quietAt();
    if (quiet != null && draft.holdsToSettle(node.name(), quiet, now)) {
      return; // a remediator acts on creation: the node may be healthy a moment later (RB-6)
    }
    Optional<RemediationDraft> allowed = policies.admit(node, wanted);
    if (allowed.isEmpty()) {
      return;
    }
    RemediationDraft remediation = allowed.get();
    if (claim != null) {
      draft.act(new ClaimLease(node.name(), claim));
    }
    draft.act(new CreateRemediation(node.name(), remediation));
    draft.emit(node.name(), false, "RemediationCreated", EventTexts.created(node.name()));
    if (node.isControlPlane()) {
      draft.startedOnControlPlane(node.name());
    }
  }

  /** RB-6: when no node will have changed for the settle time; null if that is now. */
  private @Nullable Instant quietAt() {
    Instant turned = view.census().turnedAt();
    // if the wall clock went back, the nodes count as settled
    Duration since = Duration.between(turned, now);
    Duration settle = view.nhc().spec().settle();
    return since.isNegative() || since.compareTo(settle) >= 0 ? null : turned.plus(settle);
  }

  /** one at a time, of any NodeHealthCheck. */
  private @Nullable HoldReason controlPlaneHold(NodeFacts node) {
    if (!node.isControlPlane()) {
      return null;
    }
    List<String> busy =
        Stream.of(
                view.remediations().ofControlPlane().stream().map(ObservedRemediation::nodeName),
                view.unseen().controlPlane().stream(),
                draft.controlPlaneStarted().stream())
            .flatMap(names -> names)
            .sorted()
            .toList();
    if (busy.contains(node.name())) {
      return null;
    }
    return busy.isEmpty() ? null : new ControlPlaneBusy(busy.getFirst());
  }

  private void goOn(
      NodeFacts node,
      RemediationStep step,
      ObservedRemediation remediation,
      @Nullable NodeLease lease,
      List<TrackedRemediation> tracked) {
    if (remediation.deleting()) { // no other may start, but its time continues
      draft.holdQuietly(node.name(), new RemediationEnding(remediation.ref()));
    }
    boolean overdue =
        lease != null && leases.isOurs(lease) && now.isAfter(leases.overdueAt(lease, step));
    Duration timeout = step.timeout();
    // Only a step of an escalation has a timeout and a next step.
    boolean expired = timeout != null && !now.isBefore(remediation.created().plus(timeout));
    boolean failed = timeout != null && remediation.succeeded() == Success.NO;
    if (overdue || expired || failed) {
      if (!isWithheld(node)) {
        giveUp(node, remediation, tracked);
      }
      return;
    }
    if (timeout != null) {
      draft.wakeAt(remediation.created().plus(timeout));
    }
    if (lease != null && leases.isOurs(lease)) {
      keep(node, step, lease);
    }
  }

  /** the next step follows in the next pass. */
  private void giveUp(
      NodeFacts node, ObservedRemediation remediation, List<TrackedRemediation> tracked) {
    draft.wakeAt(now.plus(NodeHealth.SETTLE));
    if (remediation.succeeded() != Success.YES) {
      draft.act(new MarkTimedOut(node.name(), remediation, stamp));
      return;
    }
    tracked.replaceAll(entry ->
        entry.uid().equals(remediation.uid())
            ? new TrackedRemediation(
                entry.resource(), entry.uid(), entry.started(), stamp, entry.templateName())
            : entry);
  }

  /** renews the lease in time. */
  private void keep(NodeFacts node, RemediationStep step, NodeLease lease) {
    LeaseClaim renewal = leases.renewal(lease, node, step, now);
    if (renewal != null) {
      draft.act(new ClaimLease(node.name(), renewal));
    }
    draft.wakeAt(LeaseRules.renewAt(renewal == null ? lease.expiry() : renewal.expiry()));
    draft.wakeAt(leases.overdueAt(lease, step).plus(NodeHealth.SETTLE));
  }

  /** releases an overdue lease, after it is known which remediation held it. */
  private void releaseOverdue(NodeFacts node, @Nullable NodeLease lease) {
    if (lease == null || !leases.isOurs(lease)) {
      return;
    }
    RemediationStep last = view.nhc().spec().steps().getLast();
    Instant overdue = leases.overdueAt(lease, last);
    if (!now.isAfter(overdue)) {
      draft.wakeAt(overdue.plus(NodeHealth.SETTLE));
      return;
    }
    UnhealthyNode recorded = view.unseen().status() ? null : entries.before(node.name());
    if (recorded != null
        && recorded.remediations().stream().anyMatch(entry -> isGivenUp(entry, last))) {
      draft.act(new ReleaseLease(node.name(), lease));
    }
  }

  /** whether nothing new may start on a node. */
  private boolean isWithheld(NodeFacts node) {
    HoldReason fleet = draft.fleetHold();
    if (fleet != null) {
      draft.holdQuietly(node.name(), fleet);
      return true;
    }
    if ("true".equals(node.labels().get(WireNames.EXCLUDE))) { // the node is excluded
      draft.hold(node.name(), new Excluded());
      return true;
    }
    return false;
  }
}
