package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth;
import io.probelet.nodehealth.remediation.NodeLease.LeaseClaim;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When a node's lease is acquired, renewed, respected and released. */
final class LeaseRules {
  private static final Duration UNTIMED = Duration.ofMinutes(10);
  private static final Duration SPARE = Duration.ofMinutes(1);
  private static final int MAX_TERMS = 3;

  private final List<RemediationStep> steps;
  private final String holder;

  LeaseRules(NodeHealthCheckSpec spec, String holder) {
    this.steps = spec.steps();
    this.holder = holder;
  }

  /** The state of the lease before a remediation is created. */
  sealed interface Access {
    /** It must be written first. */
    record Claim(LeaseClaim claim) implements Access {}

    /** It is ours and valid. */
    record Granted() implements Access {}

    /** Another client holds it. */
    record Refused(String holder, Instant until) implements Access {}
  }

  boolean isOurs(@Nullable NodeLease lease) {
    return lease != null && lease.holder().equals(holder);
  }

  /** The expected duration of a step's remediation. */
  Duration term(RemediationStep step) {
    return step.timeout() == null ? UNTIMED : step.timeout();
  }

  /**
   * Requests the lease.
   *
   * @param goingOn whether a remediation of ours exists already, so that the lease is continued
   */
  Access obtain(
      @Nullable NodeLease lease,
      NodeFacts node,
      RemediationStep step,
      boolean goingOn,
      Instant now) {
    Duration term = term(step);
    if (lease == null) {
      return new Access.Claim(
          new LeaseClaim(
              NodeLease.nameFor(node.name()),
              holder,
              node.uid(),
              now,
              now,
              term.plus(SPARE),
              0,
              null));
    }
    if (isOurs(lease)) {
      // A lease from before its remediation would count as overdue at once.
      boolean stale = goingOn ? isOverdueBefore(lease, step, now) : !lease.isValidAt(now);
      return stale || isToRenew(lease, term, now)
          ? new Access.Claim(written(lease, node, term, now, stale ? now : lease.acquireTime(), 0))
          : new Access.Granted();
    }
    return lease.isValidAt(now)
        ? new Access.Refused(lease.holder(), lease.expiry())
        : new Access.Claim(written(lease, node, term, now, now, 1));
  }

  /** The renewed lease; null if no renewal is due. */
  @Nullable LeaseClaim renewal(NodeLease lease, NodeFacts node, RemediationStep step, Instant now) {
    Duration term = term(step);
    return isToRenew(lease, term, now)
        ? written(lease, node, term, now, lease.acquireTime(), 0)
        : null;
  }

  /** When to plan again, early enough to renew our lease. */
  static Instant renewAt(Instant expiry) {
    return expiry.minus(SPARE).plus(NodeHealth.SETTLE);
  }

  /** When our lease is overdue, so that its remediation counts as timed out. */
  Instant overdueAt(NodeLease lease, RemediationStep step) {
    Duration held = maxHeld(term(step));
    for (RemediationStep earlier : steps.subList(0, steps.indexOf(step))) {
      held = held.plus(term(earlier));
    }
    return lease.acquireTime().plus(held);
  }

  /**
   * Additions, because Duration multiplies with BigDecimal, and this runs for each node and plan.
   */
  private static Duration maxHeld(Duration term) {
    Duration held = term;
    for (int terms = 1; terms < MAX_TERMS; terms++) {
      held = held.plus(term);
    }
    return held;
  }

  /** The same if the remediation's own step is no longer known. */
  static Instant overdueAt(Instant since) {
    return since.plus(maxHeld(UNTIMED));
  }

  /** Whether the next use of a lease would count as overdue because of its past. */
  private boolean isOverdueBefore(NodeLease lease, RemediationStep step, Instant now) {
    int at = steps.indexOf(step);
    return now.isAfter(overdueAt(lease, steps.get(Math.max(0, at - 1))));
  }

  private static boolean isToRenew(NodeLease lease, Duration term, Instant now) {
    return lease.expiry().isBefore(now.plus(term));
  }

  private LeaseClaim written(
      NodeLease old,
      NodeFacts node,
      Duration term,
      Instant now,
      Instant acquired,
      int furtherTransitions) {
    return new LeaseClaim(
        old.name(),
        holder,
        node.uid(),
        acquired,
        now,
        term.plus(SPARE),
        old.transitions() + furtherTransitions,
        old.resourceVersion());
  }
}
