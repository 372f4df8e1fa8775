package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.policy.PolicyHold;
import io.probelet.nodehealth.remediation.HoldReason.ByPolicy;
import io.probelet.nodehealth.remediation.HoldReason.InMaintenance;
import io.probelet.nodehealth.remediation.HoldReason.MaintenanceUnknown;
import io.probelet.nodehealth.remediation.HoldReason.NoTemplateLeft;
import io.probelet.nodehealth.remediation.HoldReason.Settling;
import io.probelet.nodehealth.remediation.Plan.PlannerMemory;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of one pass.
 *
 * @param actions in this order
 * @param status the new status; equal to the last one if there is nothing to write
 * @param wakeUp when to plan again even if nothing is observed; null for never
 * @param memory input of the next pass; has the hold reason of each node
 */
public record Plan(
    List<RemediationAction> actions,
    NodeHealthCheckStatus status,
    @Nullable Instant wakeUp,
    PlannerMemory memory) {
  /** Keeps an unmodifiable copy of the actions. */
  public Plan {
    actions = List.copyOf(actions);
  }

  /**
   * Returns why the next remediation of a node is held back.
   *
   * @return the reason; empty if it is not
   */
  public Optional<HoldReason> holdOf(String node) {
    return Optional.ofNullable(memory.nodes().get(node));
  }

  /**
   * The previous announcements, so that each change is announced once and not on every pass. It
   * affects nothing else: losing it in a crash at most repeats an event.
   *
   * @param fleet the reason that holds back all nodes; null if there is none
   * @param nodes the hold reason of each node (RB-5)
   * @param announced the last announced reason of each node that is still unhealthy
   * @param mislabelled the nodes whose exclude label is empty
   * @param settlingSince since when remediations wait for the nodes to settle (RB-6); null if none
   *     does
   */
  public record PlannerMemory(
      @Nullable HoldReason fleet,
      Map<String, HoldReason> nodes,
      Map<String, HoldReason> announced,
      Set<String> unhealthy,
      Set<String> mislabelled,
      @Nullable Instant settlingSince) {
    /** Keeps unmodifiable copies of the collections. */
    public PlannerMemory {
      nodes = Map.copyOf(nodes);
      announced = Map.copyOf(announced);
      unhealthy = Set.copyOf(unhealthy);
      mislabelled = Set.copyOf(mislabelled);
    }

    /**
     * Starts with the facts in the status.
     *
     * @param status the last status
     */
    public static PlannerMemory restoredFrom(NodeHealthCheckStatus status) {
      Map<String, HoldReason> announced = new HashMap<>();
      for (UnhealthyNode node : status.unhealthyNodes()) {
        List<TrackedRemediation> tried = node.remediations();
        if (!tried.isEmpty() && tried.stream().allMatch(entry -> entry.timedOut() != null)) {
          announced.put(node.name(), new NoTemplateLeft(tried.size()));
        }
      }
      return new PlannerMemory(
          null,
          Map.of(),
          announced,
          status.unhealthyNodes().stream().map(UnhealthyNode::name).collect(Collectors.toSet()),
          Set.of(),
          null);
    }
  }

  /** Builds a plan. */
  static final class PlanDraft {
    private final String check;
    private final PlannerMemory before;
    private final List<RemediationAction> actions = new ArrayList<>();
    private final Map<String, HoldReason> holds = new HashMap<>();
    private final Map<String, HoldReason> announced;
    private final Set<String> mislabelled = new HashSet<>();
    private final Set<String> controlPlaneStarted = new HashSet<>();
    private final NavigableMap<String, UnhealthyNode> listed = new TreeMap<>();
    private final List<HoldReason> together = new ArrayList<>();
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

    /** Records why a node is held back, with an event if that is news. */
    void hold(String node, HoldReason reason) {
      HoldReason old = announced.put(node, reason);
      holds.put(node, reason);
      if (old == null || !old.isSameNewsAs(reason)) {
        actions.add(EventTexts.waits(check, node, reason));
      }
    }

    /**
     * Records a node that is neither healthy nor unhealthy, with an event if that is news. A
     * maintenance causes no event, because an administrator announced it. Unreadable Maintenances
     * cause one event for all nodes.
     */
    void uncertain(String node, HoldReason reason) {
      switch (reason) {
        case InMaintenance _ -> holdQuietly(node, reason);
        case MaintenanceUnknown _ -> holdTogether(node, reason);
        default -> {
          HoldReason old = before.nodes().get(node);
          holds.put(node, reason);
          if (old == null || !old.isSameNewsAs(reason)) {
            actions.add(EventTexts.waits(check, node, reason));
          }
        }
      }
    }

    /**
     * Records why a node is held back, without an event, because another one reports it or the user
     * need not know.
     */
    void holdQuietly(String node, HoldReason reason) {
      holds.put(node, reason);
    }

    /**
     * Records that a policy holds back a node; a reason that affects other nodes too is announced
     * once.
     */
    void holdByPolicy(String node, PolicyHold why) {
      ByPolicy reason = new ByPolicy(why);
      if (why.isOfOneNode()) {
        hold(node, reason);
        return;
      }
      holdTogether(node, reason);
    }

    private void holdTogether(String node, HoldReason reason) {
      holds.put(node, reason);
      if (together.stream().noneMatch(reason::isSameNewsAs)) {
        together.add(reason);
        if (before.nodes().values().stream().noneMatch(reason::isSameNewsAs)) {
          actions.add(EventTexts.waits(check, null, reason));
        }
      }
    }

    /** Records that a node is not held back; a later hold is news again. */
    void decided(String node) {
      if (!holds.containsKey(node)) {
        announced.remove(node);
      }
    }

    /** Records the reason that holds back all nodes; with one event if that is news. */
    void holdFleet(HoldReason reason) {
      HoldReason old = before.fleet();
      fleetHold = reason;
      if (old == null || !old.isSameNewsAs(reason)) {
        actions.add(EventTexts.waits(check, null, reason));
      }
    }

    /**
     * Records that a node waits for the others to settle (RB-6).
     *
     * @param until when no node will have changed for long enough
     * @return whether it must wait: not after remediations have waited too long
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
}
