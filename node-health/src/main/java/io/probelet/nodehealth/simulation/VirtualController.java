package io.probelet.nodehealth.simulation;

import io.probelet.nodehealth.remediation.Plan;
import io.probelet.nodehealth.remediation.Plan.PlannerMemory;
import io.probelet.nodehealth.remediation.RemediationAction;
import io.probelet.nodehealth.remediation.RemediationPlanner;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Plans for the NodeHealthChecks of a virtual cluster and executes the plans, like the real
 * controller but immediately.
 *
 * <p>Not thread-safe.
 */
public final class VirtualController {
  private static final int MAX_PASSES = 1000;

  private final VirtualCluster cluster;
  private final Consumer<RemediationAction> witness;
  private final Map<String, Plan> plans = new HashMap<>();

  /**
   * Creates a controller.
   *
   * @param witness notified of every executed action
   */
  public VirtualController(VirtualCluster cluster, Consumer<RemediationAction> witness) {
    this.cluster = cluster;
    this.witness = witness;
  }

  /** Plans and acts until nothing is left to do at this moment. */
  public void settle() {
    for (int pass = 0; pass < MAX_PASSES; pass++) {
      boolean changed = false;
      for (NodeHealthCheck check : List.copyOf(cluster.checks().values())) {
        changed |= pass(check);
      }
      if (!changed) {
        return;
      }
    }
    throw new IllegalStateException("still planning after " + MAX_PASSES + " passes");
  }

  /**
   * Advances time from timer to timer, and does the due work at each.
   *
   * @param moment when to stop
   */
  public void runUntil(Instant moment) {
    settle();
    for (Optional<Instant> next = nextWakeUp();
        next.isPresent() && !next.get().isAfter(moment);
        next = nextWakeUp()) {
      cluster.advanceTo(next.get());
      settle();
    }
    cluster.advanceTo(moment);
    settle();
  }

  /** {@return the time of the next timer; empty if there is none} */
  public Optional<Instant> nextWakeUp() {
    Instant next = cluster.nextMaintenance().orElse(null);
    for (Plan plan : plans.values()) {
      Instant at = plan.wakeUp();
      if (at != null && (next == null || at.isBefore(next))) {
        next = at;
      }
    }
    return Optional.ofNullable(next);
  }

  /**
   * Returns the last plan.
   *
   * @return the plan; empty before the first
   */
  public Optional<Plan> lastPlan(String check) {
    return Optional.ofNullable(plans.get(check));
  }

  /** Forgets a NodeHealthCheck that was removed from the cluster, and its timers. */
  public void forget(String check) {
    plans.remove(check);
  }

  private boolean pass(NodeHealthCheck check) {
    Plan last = plans.get(check.name());
    PlannerMemory memory =
        last == null ? PlannerMemory.restoredFrom(check.status()) : last.memory();
    Plan plan = RemediationPlanner.plan(cluster.view(check.name()), memory);
    plans.put(check.name(), plan);
    Set<String> failed = new HashSet<>();
    for (RemediationAction action : plan.actions()) {
      String node = action.node();
      if (node != null && failed.contains(node)) {
        continue;
      }
      if (cluster.write(action)) {
        witness.accept(action);
      } else if (node != null) {
        failed.add(node);
      }
    }
    cluster.writeStatus(check.name(), plan.status());
    return !plan.actions().isEmpty() || isNews(check.status(), plan.status());
  }

  /** Counts and times of a status are for people; plans do not read them. */
  private static boolean isNews(NodeHealthCheckStatus before, NodeHealthCheckStatus after) {
    return !before.unhealthyNodes().equals(after.unhealthyNodes())
        || !before.conditions().equals(after.conditions())
        || before.phase() != after.phase();
  }
}
