package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition.STORM_ACTIVE;
import static io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition.STORM_COOLDOWN_ACTIVE;

import io.probelet.nodehealth.remediation.HoldReason.FloorUnusable;
import io.probelet.nodehealth.remediation.HoldReason.StormCooldown;
import io.probelet.nodehealth.remediation.HoldReason.TooFewHealthy;
import io.probelet.nodehealth.remediation.Plan.PlanDraft;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;

/** Whether remediation is on hold because too many nodes are, or were, unhealthy. */
final class StormRules {
  private static final String REASON = "HealthyNodeThresholdChange";

  private final NodeHealthCheckSpec spec;
  private final PlanDraft draft;
  private final Instant now;
  private final Instant stamp;

  StormRules(NodeHealthCheckSpec spec, PlanDraft draft, Instant now, Instant stamp) {
    this.spec = spec;
    this.draft = draft;
    this.now = now;
    this.stamp = stamp;
  }

  /** Records the reason that holds back all nodes, and sets the two conditions. */
  NodeHealthCheckStatus apply(
      NodeHealthCheckStatus status, int observed, int healthy, boolean anyUnhealthy) {
    OptionalInt required = spec.floor().required(observed);
    if (required.isEmpty()) { // more nodes may be unhealthy than exist, which is an error
      if (anyUnhealthy) {
        draft.holdFleet(new FloorUnusable(spec.floor(), observed));
      }
      return status;
    }
    boolean enough = healthy >= required.getAsInt();
    if (anyUnhealthy && !enough) { // the cause may not be the nodes themselves
      draft.holdFleet(new TooFewHealthy(healthy, required.getAsInt()));
    }
    Duration cooldown = spec.stormCooldown();
    if (cooldown == null) {
      return status.isActive(STORM_ACTIVE) ? calm(status, "no cooldown is configured") : status;
    }
    if (!enough) {
      return anyUnhealthy ? storm(status) : status;
    }
    return status.isActive(STORM_ACTIVE) ? coolDown(status, cooldown, anyUnhealthy) : status;
  }

  /** a storm begins, or begins again. */
  private NodeHealthCheckStatus storm(NodeHealthCheckStatus status) {
    if (!status.isActive(STORM_ACTIVE)) {
      draft.emit(null, true, "StormRecoveryStarted", EventTexts.STORM);
    }
    NodeHealthCheckStatus stormy =
        status.isActive(STORM_ACTIVE)
            ? status
            : status.withCondition(
                STORM_ACTIVE, true, REASON, "remediation waits until the storm is over", stamp);
    return stormy.isActive(STORM_COOLDOWN_ACTIVE)
        ? stormy.withCondition(STORM_COOLDOWN_ACTIVE, false, REASON, "a new storm has begun", stamp)
        : stormy;
  }

  /** enough nodes are healthy again, but nothing new starts during the cooldown. */
  private NodeHealthCheckStatus coolDown(
      NodeHealthCheckStatus status, Duration cooldown, boolean anyUnhealthy) {
    Instant since =
        status
            .condition(STORM_COOLDOWN_ACTIVE)
            .filter(StatusCondition::active)
            .map(StatusCondition::lastTransitionTime)
            .orElse(null);
    Instant until = (since == null ? stamp : since).plus(cooldown);
    if (since != null && !now.isBefore(until)) {
      draft.emit(null, false, "StormRecoveryEnded", EventTexts.STORM_OVER);
      return calm(status, "the cooldown is over");
    }
    draft.wakeAt(until);
    if (anyUnhealthy) {
      draft.holdFleet(new StormCooldown(until));
    }
    if (since != null) {
      return status;
    }
    draft.emit(null, true, "StormRecoveryCooldownStarted", EventTexts.COOLDOWN);
    return status.withCondition(
        STORM_COOLDOWN_ACTIVE, true, REASON, "remediation waits for the cooldown to end", stamp);
  }

  private NodeHealthCheckStatus calm(NodeHealthCheckStatus status, String why) {
    return status
        .withCondition(STORM_ACTIVE, false, REASON, why, stamp)
        .withCondition(STORM_COOLDOWN_ACTIVE, false, REASON, why, stamp);
  }
}
