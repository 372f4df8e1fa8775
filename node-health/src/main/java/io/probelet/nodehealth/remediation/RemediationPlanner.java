package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition.DISABLED;

import io.probelet.nodehealth.remediation.HoldReason.AwaitingOwnWrite;
import io.probelet.nodehealth.remediation.HoldReason.Disabled;
import io.probelet.nodehealth.remediation.HoldReason.Paused;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Unhealthy;
import io.probelet.nodehealth.remediation.Plan.PlanDraft;
import io.probelet.nodehealth.remediation.Plan.PlannerMemory;
import io.probelet.nodehealth.remediation.RemediationAction.ClearConfirmation;
import io.probelet.nodehealth.remediation.RemediationAction.FlagOld;
import io.probelet.nodehealth.remediation.StatusEntries.StatusPhases;
import io.probelet.nodehealth.remediation.TemplateRules.Flaw;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the decisions for one NodeHealthCheck.
 *
 * <p>Pure, total and deterministic: equal views give equal plans, and every view gives one. If a
 * plan is executed partly, the next plan leads to the same end (N-3).
 */
public final class RemediationPlanner {
  private static final Duration TEMPLATE_RETRY = Duration.ofSeconds(15);
  private static final Duration OLD = Duration.ofDays(2);

  private final ClusterView view;
  private final NodeHealthCheck nhc;
  private final NodeHealthCheckSpec spec;
  private final NodeCensus census;
  private final Instant now;
  private final Instant stamp;
  private final PlannerMemory memory;
  private final PlanDraft draft;
  private final StatusEntries entries;
  private final LeaseRules leases;
  private final HealthyNodeRules endings;
  private final Map<String, List<ObservedRemediation>> ours;
  private final int healthyNodes;

  private RemediationPlanner(ClusterView view, PlannerMemory memory) {
    this.view = view;
    this.nhc = view.nhc();
    this.spec = nhc.spec();
    this.census = view.census();
    this.now = census.asOf();
    this.stamp = now.truncatedTo(ChronoUnit.SECONDS);
    this.memory = memory;
    this.draft = new PlanDraft(nhc.name(), memory);
    this.entries = new StatusEntries(spec, nhc.status());
    this.leases = new LeaseRules(spec, NodeLease.holderFor(nhc.name()));
    this.endings = new HealthyNodeRules(spec, entries, leases, draft, now, stamp);
    this.ours = ours(view);
    this.healthyNodes = healthyNodes(census, ours.keySet());
  }

  /**
   * Plans for the moment of the view's census.
   *
   * @param memory the last plan's; after a start {@link PlannerMemory#restoredFrom}
   */
  public static Plan plan(ClusterView view, PlannerMemory memory) {
    return new RemediationPlanner(view, memory).run();
  }

  /**
   * Plans for an invalid resource, which has no spec.
   *
   * @param status its last status
   * @param refusal why it is invalid
   * @param memory the last plan's
   */
  public static Plan refuse(
      String name,
      NodeHealthCheckStatus status,
      String refusal,
      PlannerMemory memory,
      Instant now) {
    PlanDraft draft = new PlanDraft(name, memory);
    Instant stamp = now.truncatedTo(ChronoUnit.SECONDS);
    return disable(status, new Flaw("InvalidSpec", refusal, false), draft, memory, now, stamp);
  }

  /** the order of the checks is the rule. */
  private Plan run() {
    Optional<Flaw> flaw = TemplateRules.firstFlaw(spec.steps(), view.templates());
    if (flaw.isPresent()) { // nothing could be created
      return disable(flaw.get());
    }
    NodeHealthCheckStatus status = enable();
    detect();
    reportUncertain();
    census.nextChange().ifPresent(draft::wakeAt); // conditions expire by time
    if (!spec.pauseRequests().isEmpty()) { // a pause was requested
      return standStill(status, new Paused(spec.pauseRequests()));
    }
    endOrphans();
    endHealthy();
    keepSoon();
    status =
        new StormRules(spec, draft, now, stamp)
            .apply(status, census.observed(), healthyNodes, !census.unhealthy().isEmpty());
    remediate();
    flagOld();
    return finish(status);
  }

  /** No action while the templates are unusable; the status has the reason. */
  private Plan disable(Flaw flaw) {
    HoldReason hold = new Disabled(flaw.reason(), flaw.message());
    census.unhealthy().keySet().forEach(node -> draft.holdQuietly(node, hold));
    return disable(nhc.status(), flaw, draft, memory, now, stamp);
  }

  private static Plan disable(
      NodeHealthCheckStatus status,
      Flaw flaw,
      PlanDraft draft,
      PlannerMemory memory,
      Instant now,
      Instant stamp) {
    boolean news =
        status
            .condition(DISABLED)
            .filter(old -> old.active() && old.reason().equals(flaw.reason()))
            .isEmpty();
    if (news) {
      draft.emit(null, true, "Disabled", EventTexts.disabled(flaw.reason(), flaw.message()));
    }
    if (flaw.retry()) {
      draft.wakeAt(now.plus(TEMPLATE_RETRY));
    }
    NodeHealthCheckStatus disabled =
        status.withCondition(DISABLED, true, flaw.reason(), flaw.message(), stamp);
    return draft.finish(
        StatusPhases.complete(status, disabled, 0, 0, status.unhealthyNodes(), List.of(), stamp),
        memory.unhealthy());
  }

  /** with an event if it is news. */
  private NodeHealthCheckStatus enable() {
    if (nhc.status().condition(DISABLED).filter(condition -> !condition.active()).isPresent()) {
      return nhc.status();
    }
    draft.emit(null, false, "Enabled", EventTexts.ENABLED);
    return nhc.status()
        .withCondition(DISABLED, false, "NodeHealthCheckEnabled", EventTexts.ENABLED, stamp);
  }

  /** Publishes each node once that has become unhealthy. */
  private void detect() {
    for (Map.Entry<String, Unhealthy> node : census.unhealthy().entrySet()) {
      if (!draft.knewUnhealthy(node.getKey())) {
        draft.emit(
            node.getKey(),
            false,
            "DetectedUnhealthy",
            EventTexts.unhealthy(node.getKey(), node.getValue()));
      }
    }
  }

  /**
   * A node whose expression has no value (RB-7), or that is in maintenance (MW-2), is not
   * remediated, and shown.
   */
  private void reportUncertain() {
    for (String name : census.uncertain()) {
      census.hold(name).ifPresent(reason -> draft.uncertain(name, reason));
    }
  }

  /** Paused: every node stays listed unchanged, and new unhealthy ones are added. */
  private Plan standStill(NodeHealthCheckStatus status, HoldReason reason) {
    if (!census.unhealthy().isEmpty()) {
      draft.holdFleet(reason);
    }
    ours.forEach(this::listUnchanged);
    for (String name : census.unhealthy().keySet()) {
      draft.holdQuietly(name, reason);
      listUnchanged(name, ours(name));
    }
    keepSoon();
    return finish(status);
  }

  /**
   * also for a node that is no longer selected, because nothing else would end its
   * remediation.
   */
  private void endOrphans() {
    ours.forEach((name, remediations) -> {
      if (census.node(name).isEmpty() && mayDecide(name)) {
        endings.endOrphans(name, remediations, view.leases().get(NodeLease.nameFor(name)));
      }
    });
  }

  /** Ends the remediations of healthy nodes: after their delay, R-14 the lease. */
  private void endHealthy() {
    ours.forEach((name, remediations) -> {
      Optional<NodeFacts> node = healthyNode(name);
      if (node.isPresent() && mayDecide(name)) {
        endings.end(node.get(), remediations);
      }
    });
    for (NodeLease lease : view.leases().values()) {
      String name = lease.node();
      boolean needless = census.node(name).isEmpty() || healthyNode(name).isPresent();
      if (leases.isOurs(lease) && needless && ours(name).isEmpty() && mayDecide(name)) {
        endings.release(name, lease);
      }
    }
    for (String name : census.confirmed()) {
      if (healthyNode(name).isPresent()
          && view.remediations().ofNode(name).isEmpty()
          && mayDecide(name)) {
        draft.act(new ClearConfirmation(name)); // the confirmation was used
      }
    }
  }

  /** R-6, RB-7, and R-9 for a recreated node: left unchanged. */
  private void keepSoon() {
    for (UnhealthyNode old : nhc.status().unhealthyNodes()) {
      if (isSoon(old.name())) {
        listUnchanged(old.name(), ours(old.name()));
      }
    }
    ours.forEach((name, remediations) -> {
      if (isSoon(name) || isUnreported(name)) {
        listUnchanged(name, remediations);
      }
    });
  }

  private void remediate() {
    UnhealthyNodeRules rules = new UnhealthyNodeRules(view, entries, leases, draft, now, stamp);
    for (String name : census.unhealthy().keySet()) {
      NodeFacts node = census.node(name).orElseThrow();
      if (""
          .equals(
              node.labels()
                  .get(WireNames.EXCLUDE))) { // has no effect, which its author may not know
        draft.mislabelled(name);
      }
      if (mayDecide(name)) {
        rules.remediate(node, ours(name));
      }
    }
  }

  /** Flags remediations that are too old, for metrics and alerts. */
  private void flagOld() {
    ours.forEach((name, remediations) -> {
      for (ObservedRemediation remediation : remediations) {
        if (remediation.deleting()
            || remediation.annotations().containsKey(WireNames.OLD_REMEDIATION)
            || view.unseen().nodes().contains(name)) {
          continue;
        }
        Instant old = remediation.created().plus(OLD);
        if (now.isAfter(old)) {
          draft.act(new FlagOld(name, remediation));
        } else {
          draft.wakeAt(old.plus(NodeHealth.SETTLE));
        }
      }
    });
  }

  private Plan finish(NodeHealthCheckStatus status) {
    return draft.finish(
        StatusPhases.complete(
            nhc.status(),
            status,
            census.observed(),
            healthyNodes,
            draft.listed(),
            spec.pauseRequests(),
            stamp));
  }

  /** N-2: a node with an unconfirmed write is skipped and stays listed. */
  private boolean mayDecide(String node) {
    if (!view.unseen().nodes().contains(node)) {
      return true;
    }
    List<ObservedRemediation> remediations = ours(node);
    if (census.unhealthy().containsKey(node)) {
      draft.holdQuietly(node, new AwaitingOwnWrite());
      listUnchanged(node, remediations);
    } else if (!remediations.isEmpty()) {
      listUnchanged(node, remediations);
    }
    return false;
  }

  private void listUnchanged(String node, List<ObservedRemediation> remediations) {
    UnhealthyNode old = entries.before(node);
    draft.list(
        new UnhealthyNode(
            node,
            entries.of(node, remediations),
            old == null ? null : old.conditionsHealthyTimestamp(),
            old != null && old.healthyDelayed()));
  }

  /** a node counts as healthy when no remediation of ours is left. */
  private static int healthyNodes(NodeCensus census, Set<String> remediated) {
    int ending = 0;
    for (String name : remediated) {
      NodeHealth health = census.health(name).orElse(null);
      if (health instanceof NodeHealth.Healthy || health instanceof NodeHealth.Unreported) {
        ending++;
      }
    }
    return census.healthy() - ending;
  }

  private Optional<NodeFacts> healthyNode(String name) {
    return census
        .health(name)
        .filter(NodeHealth.Healthy.class::isInstance)
        .flatMap(_ -> census.node(name));
  }

  private boolean isUnreported(String name) {
    return census.health(name).filter(NodeHealth.Unreported.class::isInstance).isPresent();
  }

  private boolean isSoon(String name) {
    return census.uncertain().contains(name);
  }

  /** The remediations of a node that this NodeHealthCheck owns. */
  private List<ObservedRemediation> ours(String node) {
    return ours.getOrDefault(node, List.of());
  }

  /** Computed once for all rules, in the order of the nodes' names. */
  private static Map<String, List<ObservedRemediation>> ours(ClusterView view) {
    Map<String, List<ObservedRemediation>> ours = new LinkedHashMap<>();
    view.remediations()
        .byNode()
        .forEach((node, remediations) -> {
          for (ObservedRemediation remediation : remediations) {
            if (remediation.isOwnedBy(view.nhc())) {
              ours.computeIfAbsent(node, _ -> new ArrayList<>(1)).add(remediation);
            }
          }
        });
    return ours;
  }
}
