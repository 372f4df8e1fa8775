package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.policy.PolicyHold;
import io.probelet.nodehealth.remediation.HoldReason.ByPolicy;
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
 * @param status what to answer; equal to the last one if there is nothing to write
 * @param wakeUp when to plan again even if nothing is observed; null for never
 * @param memory to be handed to the next pass; names what holds back which node
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
   * Returns why a node is not remediated, or not further.
   *
   * @return the reason; empty if the node is not held back
   */
  public Optional<HoldReason> holdOf(String node) {
    return Optional.ofNullable(memory.nodes().get(node));
  }

  /**
   * What was already announced, so that each change is announced once and not on every pass. It
   * affects nothing else: losing it in a crash repeats at most an event.
   *
   * @param fleet what holds back all nodes; null if nothing does
   * @param nodes what holds back which node (RB-5)
   * @param announced which reason was announced last of a node that is still unhealthy
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
     * Begins after a start with what the status says.
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

  /** A plan while it is being made. */
  static final class PlanDraft {
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
}
