package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.policy.PolicyHold;
import io.probelet.nodehealth.remediation.HoldReason.ByPolicy;
import io.probelet.nodehealth.remediation.HoldReason.Settling;
import io.probelet.nodehealth.remediation.Plan.PlannerMemory;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A plan while it is being made. */
final class PlanDraft {
  private final String check;
  private final PlannerMemory before;
  private final List<RemediationAction> actions = new ArrayList<>();
  private final Map<String, HoldReason> holds = new HashMap<>();
  private final Map<String, HoldReason> announced;
  private final Set<String> mislabelled = new HashSet<>();
  private final Set<String> controlPlaneStarted = new HashSet<>();
  private final NavigableMap<String, UnhealthyNode> listed = new TreeMap<>();
  private final List<ByPolicy> policies = new ArrayList<>();
  private @Nullable HoldReason fleetHold;
  private @Nullable Instant settlingSince;
  private @Nullable Instant wakeUp;

  PlanDraft(String check, PlannerMemory before) {
    this.check = check;
    this.before = before;
    this.announced = new HashMap<>(before.announced());
  }

  void act(RemediationAction action) {
    actions.add(action);
  }

  void emit(@Nullable String node, boolean warning, String reason, String message) {
    actions.add(new EmitEvent(node, warning, reason, message));
  }

  /** Notes why a node waits, with an event if that is news. */
  void hold(String node, HoldReason reason) {
    HoldReason old = announced.put(node, reason);
    holds.put(node, reason);
    if (old == null || !old.isSameNewsAs(reason)) {
      actions.add(EventTexts.waits(check, node, reason));
    }
  }

  /** Notes quietly why a node waits, because another event says it or the user need not know. */
  void holdQuietly(String node, HoldReason reason) {
    holds.put(node, reason);
  }

  /** Notes that a policy holds a node; what holds others, too, is said once for all of them. */
  void holdByPolicy(String node, PolicyHold why) {
    ByPolicy reason = new ByPolicy(why);
    if (why.isOfOneNode()) {
      hold(node, reason);
      return;
    }
    holds.put(node, reason);
    if (policies.stream().noneMatch(reason::isSameNewsAs)) {
      policies.add(reason);
      if (before.nodes().values().stream().noneMatch(reason::isSameNewsAs)) {
        actions.add(EventTexts.waits(check, null, reason));
      }
    }
  }

  /** Records that a node was decided about; what no longer holds it back would be news again. */
  void decided(String node) {
    if (!holds.containsKey(node)) {
      announced.remove(node);
    }
  }

  /** Notes what holds all nodes; with one event if that is news. */
  void holdFleet(HoldReason reason) {
    HoldReason old = before.fleet();
    fleetHold = reason;
    if (old == null || !old.isSameNewsAs(reason)) {
      actions.add(EventTexts.waits(check, null, reason));
    }
  }

  /**
   * Notes that a node waits for the others to settle (RB-6).
   *
   * @param until when nothing will have changed for long enough
   * @param now the moment
   * @return whether it has to wait: not once others have kept remediations waiting for too long
   */
  boolean holdsToSettle(String node, Instant until, Instant now) {
    Instant since = before.settlingSince() == null ? now : before.settlingSince();
    Instant end = since.plus(NodeHealthCheckSpec.MAX_SETTLE);
    Instant again = until.isBefore(end) ? until : end;
    if (!now.isBefore(again) || now.isBefore(since)) {
      return false;
    }
    settlingSince = since;
    holdQuietly(node, new Settling());
    wakeAt(again);
    return true;
  }

  @Nullable HoldReason fleetHold() {
    return fleetHold;
  }

  boolean knewUnhealthy(String node) {
    return before.unhealthy().contains(node);
  }

  void mislabelled(String node) {
    mislabelled.add(node);
    if (!before.mislabelled().contains(node)) {
      emit(node, true, "InvalidNodeLabel", EventTexts.mislabelled(node));
    }
  }

  void startedOnControlPlane(String node) {
    controlPlaneStarted.add(node);
  }

  Set<String> controlPlaneStarted() {
    return controlPlaneStarted;
  }

  void list(UnhealthyNode node) {
    listed.put(node.name(), node);
  }

  void wakeAt(Instant at) {
    if (wakeUp == null || at.isBefore(wakeUp)) {
      wakeUp = at;
    }
  }

  List<UnhealthyNode> listed() {
    return List.copyOf(listed.values());
  }

  Plan finish(NodeHealthCheckStatus status) {
    return finish(status, listed.keySet());
  }

  Plan finish(NodeHealthCheckStatus status, Set<String> unhealthy) {
    announced.keySet().retainAll(unhealthy);
    return new Plan(
        actions,
        status,
        wakeUp,
        new PlannerMemory(fleetHold, holds, announced, unhealthy, mislabelled, settlingSince));
  }
}
