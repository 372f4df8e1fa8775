package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
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
  private final PlannerMemory before;
  private final List<RemediationAction> actions = new ArrayList<>();
  private final Map<String, HoldReason> holds = new HashMap<>();
  private final Set<String> mislabelled = new HashSet<>();
  private final Set<String> controlPlaneStarted = new HashSet<>();
  private final NavigableMap<String, UnhealthyNode> listed = new TreeMap<>();
  private @Nullable HoldReason fleetHold;
  private @Nullable Instant wakeUp;

  PlanDraft(PlannerMemory before) {
    this.before = before;
  }

  void act(RemediationAction action) {
    actions.add(action);
  }

  void tell(@Nullable String node, boolean warning, String reason, String message) {
    actions.add(new EmitEvent(node, warning, reason, message));
  }

  /** Notes why a node waits; tells it if that is news. */
  void hold(String node, HoldReason reason, String event) {
    HoldReason old = before.nodes().get(node);
    holds.put(node, reason);
    if (old == null || !old.isSameNewsAs(reason)) {
      tell(node, true, event, "node " + node + ": " + reason.message());
    }
  }

  /** Notes quietly why a node waits, because the user is told otherwise or need not know. */
  void holdQuietly(String node, HoldReason reason) {
    holds.put(node, reason);
  }

  /** Notes what holds all nodes; tells it once if that is news. */
  void holdFleet(HoldReason reason, String event) {
    HoldReason old = before.fleet();
    fleetHold = reason;
    if (old == null || !old.isSameNewsAs(reason)) {
      tell(null, true, event, "no remediation is started: " + reason.message());
    }
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
      tell(
          node,
          true,
          "InvalidNodeLabel",
          "node " + node + ": the label that excludes it is empty and ignored; set it to \"true\"");
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
    return new Plan(
        actions, status, wakeUp, new PlannerMemory(fleetHold, holds, unhealthy, mislabelled));
  }
}
