package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.selector.LabelSelector;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.Metadata;
import io.probelet.kube.election.Leadership;
import io.probelet.kube.watch.Item;
import io.probelet.nodehealth.controller.RemediationListener.NodeUnderRemediation;
import io.probelet.nodehealth.controller.RemediationReport.CheckReport;
import io.probelet.nodehealth.maintenance.MaintenanceBook;
import io.probelet.nodehealth.maintenance.NodeMaintenance;
import io.probelet.nodehealth.policy.PolicyNode;
import io.probelet.nodehealth.remediation.ClusterView;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.PendingWrites;
import io.probelet.nodehealth.remediation.Plan;
import io.probelet.nodehealth.remediation.RemediationAction;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.remediation.RemediationPlanner;
import io.probelet.nodehealth.remediation.TemplateLookup;
import io.probelet.nodehealth.remediation.TemplateLookup.KindState;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.wire.NodeFormat;
import io.probelet.nodehealth.wire.RemediationJson;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Receives changes in the cluster, runs the planner for each affected NodeHealthCheck, and passes
 * on its decisions. Used only on the loop's thread.
 */
final class RemediationReconciler implements KindWatches.Listener, ActionRunner.Listener {
  private final TimeSource time;
  private final RemediationEvents events;
  private final RemediationListener listener;
  private final ClusterCache cache = new ClusterCache();
  private final WatchedHealthChecks checks = new WatchedHealthChecks();
  private final Expectations expected = new Expectations();
  private final Set<String> unlisted =
      new HashSet<>(Set.of(Kind.NODE.kind(), Kind.CHECK.kind(), Kind.LEASE.kind()));
  private final KindWatches kinds;
  private final ActionRunner runner;
  private final WriteResults results;
  private final StatusWriter statuses;
  private final WatchedPolicies policies;
  private final WatchedMaintenances maintenances;
  private final MaintainedNodes maintained;

  /**
   * Starts without any objects.
   *
   * @param statusInterval minimum time between two writes of one status
   */
  RemediationReconciler(
      ApiServer api,
      RemediationSettings settings,
      Duration statusInterval,
      TimeSource time,
      RandomGenerator random,
      RemediationEvents events,
      RemediationListener listener,
      Leadership term,
      ReconcileLoop loop) {
    this.time = time;
    this.events = events;
    this.listener = listener;
    kinds = new KindWatches(api, loop, time, random, this);
    runner =
        new ActionRunner(
            api,
            new ActionRequests(settings.leaseNamespace(), kinds::known),
            term,
            time,
            loop,
            this);
    ObjectPatches requests = new ObjectPatches(api, term, loop);
    policies =
        new WatchedPolicies(
            requests,
            new StatusPauses(time, random, statusInterval),
            cache::nodes,
            checks::touchAll);
    maintenances =
        new WatchedMaintenances(
            requests,
            new StatusPauses(time, random, statusInterval),
            () -> kinds.relist(Kind.MAINTENANCE.name()),
            MaintenanceBook.MAX_OBJECTS);
    results = new WriteResults(cache, new NodeFormat(), this::nodeChanged, listener, policies);
    maintained =
        new MaintainedNodes(
            maintenances,
            new MaintenanceNotes(
                requests,
                new StatusPauses(time, random, MaintenanceNotes.APART),
                cache::node,
                time::wallTime),
            cache,
            () -> !(kinds.state(Kind.MAINTENANCE.name()) instanceof KindState.Pending),
            listener);
    statuses =
        new StatusWriter(
            requests, new StatusPauses(time, random, statusInterval), this::statusWritten);
  }

  void close() {
    kinds.close();
  }

  /** Also policies and Maintenances, whether there is a NodeHealthCheck or not. */
  void watchKinds() {
    Set<Kind.Name> wanted = new HashSet<>(checks.kinds());
    wanted.add(Kind.POLICY.name());
    wanted.add(Kind.MAINTENANCE.name());
    kinds.watch(wanted);
  }

  // --- Changes

  /** All objects of a kind are known for the first time; no plan is made before that. */
  void listed(String kind) {
    unlisted.remove(kind);
  }

  void nodeChanged(NodeFacts read) {
    NodeFacts before = cache.node(read.name());
    Instant now = time.wallTime();
    NodeFacts node = maintained.mark(read, before, now);
    if (cache.observe(node)) {
      checks.nodeChanged(before, node, now);
      policyNodeChanged(before, node);
      maintained.changed(before, node, now);
    }
  }

  void nodeGone(Item<NodeFacts> node) {
    NodeFacts before = cache.node(node.name());
    if (cache.nodeGone(node.name(), node.uid())) {
      maintained.gone(Objects.requireNonNull(before));
      checks.nodeGone(node.name(), time.wallTime());
      policyNodeChanged(before, null);
    }
  }

  private void policyNodeChanged(@Nullable NodeFacts before, @Nullable NodeFacts now) {
    if (policies.isEmpty()) {
      return;
    }
    if (policies.nodeChanged(before, now)) {
      checks.touchHeldByPolicies();
    } else if (now != null) {
      checks.touchHeldByPolicies(now.name());
    }
  }

  /** A NodeHealthCheck from a watch or a response. */
  void checkChanged(JsonNode object) {
    if (expected.isNews(Metadata.uid(object), Metadata.version(object)) && checks.changed(object)) {
      watchKinds();
    }
  }

  void checkGone(Item<JsonNode> check) {
    expected.sawEnd(check.uid());
    checks
        .gone(check.name(), check.uid())
        .ifPresent(known -> {
          statuses.forget(known);
          listener.stands(known.name(), Set.of(), Map.of());
          watchKinds();
        });
  }

  void leaseChanged(JsonNode lease) {
    if (cache.observe(lease)) {
      checks.leaseChanged(RemediationJson.readLease(lease));
    }
  }

  void leaseGone(JsonNode lease) {
    cache.observeEnd(lease);
    checks.leaseChanged(RemediationJson.readLease(lease));
  }

  /** A template or a remediation. */
  @Override
  public void changed(JsonNode object) {
    if (Kind.POLICY.isOf(object)) {
      policies.changed(object);
    } else if (Kind.MAINTENANCE.isOf(object)) {
      maintenances.changed(object);
    } else if (cache.observe(object)) {
      touch(object);
    }
  }

  @Override
  public void gone(JsonNode object) {
    if (Kind.POLICY.isOf(object)) {
      policies.gone(object);
      return;
    }
    if (Kind.MAINTENANCE.isOf(object)) {
      maintenances.gone(object);
      return;
    }
    cache.observeEnd(object);
    touch(object);
  }

  private void touch(JsonNode object) {
    if (ClusterCache.isTemplate(RemediationJson.ref(object))) {
      checks.touchAll();
    } else {
      touchConcerned(RemediationJson.read(object).nodeName());
    }
  }

  @Override
  public void settled(Kind.Name kind) {
    if (kind.equals(Kind.POLICY.name())) {
      policies.settled(kinds.state(kind));
      return;
    }
    if (kind.equals(Kind.MAINTENANCE.name())) {
      maintenances.settled(kinds.state(kind));
      return;
    }
    if (kinds.known(kind).isEmpty()) {
      cache.forget(kind);
    }
    checks.kindChanged(kind);
  }

  // --- Results of writes

  @Override
  public void done(RemediationAction action, JsonNode body) {
    results.done(action, body);
  }

  @Override
  public void found(RemediationAction action, ApiResult answer) {
    results.found(action, answer);
  }

  @Override
  public void forbidden(MissingPermission permission) {
    kinds.forbidden(permission);
  }

  /** {@inheritDoc} The node may have come into maintenance since its plan was made. */
  @Override
  public UnaryOperator<NodeFacts> maintenance(String node) {
    NodeFacts cached = cache.node(node);
    NodeMaintenance known = cached == null ? null : cached.maintenance();
    return read -> maintained.markAgain(read, known, time.wallTime());
  }

  @Override
  public void free(WatchedHealthCheck check, String node) {
    check.touch();
    touchConcerned(node);
  }

  /** If policies count nodes, the next remediation may belong to any NodeHealthCheck. */
  private void touchConcerned(String node) {
    checks.touchConcerned(node);
    if (!policies.isEmpty()) {
      checks.touchHeldByPolicies();
    }
  }

  private void statusWritten(WatchedHealthCheck check, ApiResult now) {
    if (!checks.contains(check)) {
      return;
    }
    if (now instanceof Done(JsonNode object)
        && expected.wrote(check.uid(), Metadata.version(object))
        && checks.changed(object)) {
      watchKinds();
    }
    check.touch();
  }

  // --- Planning

  /** Plans for each NodeHealthCheck with a change or a due timer. */
  void work() {
    Instant now = time.wallTime();
    maintained.work(
        now, unlisted.isEmpty(), (before, node) -> checks.nodeChanged(before, node, now));
    for (WatchedHealthCheck check : List.copyOf(checks.all())) {
      if (check.isDue(now) && unsettled(check) == null) {
        plan(check, now);
      }
      statuses.write(check);
    }
    policies.writeStatuses(checks.all(), () -> atWork(), now);
  }

  /** The time of the next timer; null if there is none. */
  @Nullable Instant nextMoment() {
    Instant next = policies.nextMoment(time.wallTime());
    Instant maintenance = maintenances.nextMoment();
    if (maintenance != null && (next == null || maintenance.isBefore(next))) {
      next = maintenance;
    }
    for (WatchedHealthCheck check : checks.all()) {
      Instant wakeUp = check.wakeUp();
      if (wakeUp != null && (next == null || wakeUp.isBefore(next)) && unsettled(check) == null) {
        next = wakeUp;
      }
    }
    return next;
  }

  List<CheckReport> report() {
    return checks.all().stream()
        .map(check -> ReportBuilder.report(check, unsettled(check)))
        .toList();
  }

  /** Why planning is not possible yet; null if it is. */
  private @Nullable String unsettled(WatchedHealthCheck check) {
    if (!unlisted.isEmpty()) {
      return "waiting for the first list of every " + unlisted.iterator().next();
    }
    for (Kind kind : List.of(Kind.POLICY, Kind.MAINTENANCE)) {
      if (kinds.state(kind.name()) instanceof KindState.Pending) {
        return "waiting for the first list of every " + kind.kind();
      }
    }
    for (Kind.Name kind : check.kinds()) {
      if (kinds.state(kind) instanceof KindState.Pending) {
        return "waiting for the first list of every " + kind.kind();
      }
    }
    for (Kind.Name kind : checks.kinds()) {
      if (kinds.state(kind) instanceof KindState.Pending && countsAll(check)) {
        return "waiting for the first list of every " + kind.kind() + ", as limits count them";
      }
    }
    return null;
  }

  /** Whether limits count the remediations of all NodeHealthChecks (R-13, ACT-78). */
  private boolean countsAll(WatchedHealthCheck check) {
    LabelSelector selector = check.selector();
    return !policies.isEmpty()
        || (selector != null
            && cache.nodes().stream()
                .anyMatch(node -> node.isControlPlane() && selector.matches(node.labels())));
  }

  private void plan(WatchedHealthCheck check, Instant now) {
    NodeHealthCheck resource = check.resource().orElse(null);
    Plan plan =
        resource == null
            ? RemediationPlanner.refuse(
                check.name(), check.record().decided(), check.refusal(), check.memory(), now)
            : RemediationPlanner.plan(view(check, resource, now), check.memory());
    reportFinished(check, plan, now);
    if (check.planned(plan, runner.busy().isEmpty())) {
      watchKinds();
    }
    listener.stands(check.name(), ReportBuilder.ongoing(plan), ReportBuilder.heldBack(plan));
    carryOut(check, plan);
  }

  private ClusterView view(WatchedHealthCheck check, NodeHealthCheck resource, Instant now) {
    if (check.isUncounted()) {
      checks.count(cache.nodes(), now);
    }
    return new ClusterView(
        resource,
        check.census(now),
        cache.remediations(),
        templates(resource.spec()),
        cache.leases(),
        new PendingWrites(
            runner.busy(),
            runner.busyControlPlane(),
            !check.record().isConfirmed(),
            policies.counted()),
        policies.facts(() -> atWork()));
  }

  /** Each node with a remediation, whoever created it, and each for which one is being created. */
  private List<PolicyNode> atWork() {
    Set<String> names = new TreeSet<>(cache.remediations().nodes());
    names.addAll(runner.busy());
    return names.stream()
        .map(name -> {
          NodeFacts node = cache.node(name);
          return PolicyNode.of(name, node == null ? null : node.labels());
        })
        .toList();
  }

  private Map<ObjectRef, TemplateLookup> templates(NodeHealthCheckSpec spec) {
    Map<ObjectRef, TemplateLookup> found = new HashMap<>();
    for (RemediationStep step : spec.steps()) {
      ObjectRef ref = step.template();
      found.put(
          ref,
          TemplateLookup.of(
              ref,
              kinds.state(new Kind.Name(ref.apiVersion(), ref.kind())),
              kinds.state(new Kind.Name(ref.apiVersion(), step.remediationKind())),
              cache.template(ref)));
    }
    return found;
  }

  private void carryOut(WatchedHealthCheck check, Plan plan) {
    Map<String, List<RemediationAction>> byNode = new LinkedHashMap<>();
    for (RemediationAction action : plan.actions()) {
      if (action.node() != null) {
        byNode.computeIfAbsent(action.node(), _ -> new ArrayList<>()).add(action);
      } else if (action instanceof EmitEvent event) {
        events.publish(check, event);
      }
    }
    byNode.forEach((node, actions) -> {
      if (actions.stream().allMatch(EmitEvent.class::isInstance)) {
        actions.forEach(action -> events.publish(check, (EmitEvent) action));
      } else {
        policies.begin(actions);
        runner.begin(check, node, actions, event -> events.publish(check, event));
      }
    });
  }

  /** Remediations whose nodes are now healthy or gone. */
  private void reportFinished(WatchedHealthCheck check, Plan plan, Instant now) {
    for (UnhealthyNode node : check.record().decided().unhealthyNodes()) {
      if (plan.status().unhealthyNode(node.name()).isEmpty()) {
        for (TrackedRemediation remediation : node.remediations()) {
          Duration age = Duration.between(remediation.started(), now);
          listener.finished(
              NodeUnderRemediation.of(node.name(), remediation.resource()),
              age.isNegative() ? Duration.ZERO : age);
        }
      }
    }
  }
}
