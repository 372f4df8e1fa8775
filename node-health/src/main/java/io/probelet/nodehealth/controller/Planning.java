package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.Metadata;
import io.probelet.nodehealth.controller.KindWatches.State;
import io.probelet.nodehealth.controller.RemediationReport.CheckReport;
import io.probelet.nodehealth.remediation.ClusterView;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeLease;
import io.probelet.nodehealth.remediation.Plan;
import io.probelet.nodehealth.remediation.Platform;
import io.probelet.nodehealth.remediation.RemediationAction;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.remediation.RemediationPlanner;
import io.probelet.nodehealth.remediation.TemplateLookup;
import io.probelet.nodehealth.remediation.TemplateLookup.Forbidden;
import io.probelet.nodehealth.remediation.TemplateLookup.Found;
import io.probelet.nodehealth.remediation.TemplateLookup.Missing;
import io.probelet.nodehealth.remediation.UnseenWrites;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.RemediationStep;
import io.probelet.nodehealth.wire.ObjectJson;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the NodeHealthChecks, notices for which of them something has changed or is due, asks the
 * planner and passes on what it says. Lives on the loop's thread.
 */
final class Planning {
  private final TimeSource time;
  private final Mirror mirror;
  private final KindWatches kinds;
  private final Writes writes;
  private final StatusWrites statuses;
  private final EventJournal journal;
  private final RemediationListener listener;
  private final Versions versions = new Versions();
  private final Selections selections = new Selections();
  private final Map<String, Check> checks = new TreeMap<>();
  private final Set<String> unlisted = new HashSet<>(Set.of("Node", "NodeHealthCheck", "Lease"));

  Planning(
      TimeSource time,
      Mirror mirror,
      KindWatches kinds,
      Writes writes,
      StatusWrites statuses,
      EventJournal journal,
      RemediationListener listener) {
    this.time = time;
    this.mirror = mirror;
    this.kinds = kinds;
    this.writes = writes;
    this.statuses = statuses;
    this.journal = journal;
    this.listener = listener;
  }

  /** A kind whose objects have all been told for the first time; nothing is planned before. */
  void listed(String kind) {
    unlisted.remove(kind);
  }

  void see(NodeFacts node) {
    NodeFacts before = mirror.node(node.name());
    if (!mirror.see(node)) {
      return;
    }
    if (before != null && !before.labels().equals(node.labels())) {
      selections.of(before, checks.values()).forEach(check -> check.see(node));
      selections.forget(node.name());
    }
    selections.of(node, checks.values()).forEach(check -> check.see(node));
  }

  void nodeGone(String name, String uid) {
    if (mirror.nodeGone(name, uid)) {
      selections.forget(name);
      // An orphan may belong to a check that selects the node no more.
      checks
          .values()
          .forEach(check -> {
            check.nodeGone(name);
            check.touch();
          });
    }
  }

  /** A NodeHealthCheck, as a watch or an answer shows it. */
  void seeCheck(JsonNode object) {
    String uid = Metadata.uid(object);
    if (!versions.isNews(uid, Metadata.version(object))) {
      return;
    }
    String name = ObjectJson.ref(object).name();
    Check known = checks.get(name);
    if (known == null || !known.uid().equals(uid)) {
      checks.put(name, new Check(object));
    } else if (!known.see(object)) {
      return;
    }
    selections.forgetAll();
    watchKinds();
  }

  void checkGone(String name, String uid) {
    versions.sawEnd(uid);
    Check known = checks.get(name);
    if (known != null && known.uid().equals(uid)) {
      checks.remove(name);
      selections.forgetAll();
      statuses.forget(known);
      listener.stands(name, Set.of(), Map.of());
      watchKinds();
    }
  }

  /** What came of a status's writing. */
  void statusWritten(Check check, ApiResult now) {
    if (checks.get(check.name()) != check) {
      return;
    }
    if (now instanceof Done(JsonNode object)) {
      seeCheck(object);
      versions.wrote(check.uid(), Metadata.version(object));
    }
    check.touch();
  }

  /** A node's lease has changed, or is gone. */
  void leaseChanged(NodeLease lease) {
    for (Check check : checks.values()) {
      // One that holds it may have to give it back, though the node is of no concern any more.
      if (lease.holder().equals(NodeLease.holderFor(check.name()))
          || concerns(check, lease.node())) {
        check.touch();
      }
    }
  }

  /**
   * A template or a remediation has changed.
   *
   * @param node whose remediation; null if it is a template
   */
  void changed(@Nullable String node) {
    for (Check check : checks.values()) {
      if (node == null || concerns(check, node)) {
        check.touch();
      }
    }
  }

  /** The kind has been listed, is missing or is watched no more. */
  void settled(Kind.Name kind) {
    if (kinds.known(kind).isEmpty()) {
      mirror.forget(kind);
    }
    for (Check check : checks.values()) {
      if (check.kinds().contains(kind)) {
        check.touch();
      }
    }
  }

  /** All that was written about a node is known. */
  void free(Check written, String node) {
    written.touch();
    checks.values().stream().filter(check -> concerns(check, node)).forEach(Check::touch);
  }

  private static boolean concerns(Check check, String node) {
    return check.unhealthy().containsKey(node)
        || check.plan().map(plan -> plan.memory().unhealthy().contains(node)).orElse(true)
        || check.record().decided().unhealthyNode(node).isPresent();
  }

  private void watchKinds() {
    Set<Kind.Name> wanted = new HashSet<>();
    checks.values().forEach(check -> wanted.addAll(check.kinds()));
    kinds.want(wanted);
  }

  /** Plans wherever something has changed or is due. */
  void work() {
    Instant now = time.wallTime();
    for (Check check : List.copyOf(checks.values())) {
      if (check.isDue(now) && unsettled(check) == null) {
        plan(check, now);
      }
      statuses.write(check);
    }
  }

  /** When something is due next; null if nothing is. */
  @Nullable Instant nextMoment() {
    Instant next = null;
    for (Check check : checks.values()) {
      Instant wakeUp = check.wakeUp();
      if (wakeUp != null && (next == null || wakeUp.isBefore(next)) && unsettled(check) == null) {
        next = wakeUp;
      }
    }
    return next;
  }

  List<CheckReport> report() {
    List<CheckReport> reports = new ArrayList<>();
    checks.values().forEach(check -> reports.add(Reporter.report(check, unsettled(check))));
    return reports;
  }

  /** Why nothing can be planned yet; null if it can. */
  private @Nullable String unsettled(Check check) {
    if (!unlisted.isEmpty()) {
      return "waiting for the list of every " + unlisted.iterator().next();
    }
    for (Kind.Name kind : check.kinds()) {
      if (kinds.state(kind) instanceof State.Looking) {
        return "waiting for the list of every " + kind.kind();
      }
    }
    return null;
  }

  private void plan(Check check, Instant now) {
    NodeHealthCheck resource = check.resource().orElse(null);
    Plan plan =
        resource == null
            ? RemediationPlanner.refuse(
                check.name(), check.record().decided(), check.refusal(), check.memory(), now)
            : RemediationPlanner.plan(view(check, resource, now), check.memory());
    tellFinished(check, plan, now);
    if (check.planned(plan, writes.busy().isEmpty())) {
      watchKinds();
    }
    listener.stands(check.name(), Reporter.ongoing(plan), Reporter.heldBack(plan));
    Map<String, List<RemediationAction>> byNode = new LinkedHashMap<>();
    for (RemediationAction action : plan.actions()) {
      String node = action.node();
      if (node == null) {
        tell(check, action);
      } else {
        byNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(action);
      }
    }
    byNode.forEach((node, actions) -> {
      if (actions.stream().allMatch(EmitEvent.class::isInstance)) {
        actions.forEach(action -> tell(check, action));
      } else {
        writes.begin(check, node, actions, event -> journal.tell(check, event));
      }
    });
  }

  /** Those that were started for nodes that are now healthy, or gone. */
  private void tellFinished(Check check, Plan plan, Instant now) {
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

  private void tell(Check check, RemediationAction action) {
    if (action instanceof EmitEvent event) {
      journal.tell(check, event);
    }
  }

  private ClusterView view(Check check, NodeHealthCheck resource, Instant now) {
    return new ClusterView(
        resource,
        check.census(mirror.nodes(), now),
        mirror.remediations(),
        templates(resource.spec()),
        mirror.leases(),
        Platform.PLAIN,
        new UnseenWrites(writes.busy(), writes.busyControlPlane(), !check.record().isConfirmed()));
  }

  /** */
  private Map<ObjectRef, TemplateLookup> templates(NodeHealthCheckSpec spec) {
    Map<ObjectRef, TemplateLookup> found = new HashMap<>();
    for (RemediationStep step : spec.steps()) {
      found.put(step.template(), lookup(step));
    }
    return found;
  }

  private TemplateLookup lookup(RemediationStep step) {
    ObjectRef ref = step.template();
    State template = kinds.state(new Kind.Name(ref.apiVersion(), ref.kind()));
    State remediation = kinds.state(new Kind.Name(ref.apiVersion(), step.remediationKind()));
    if (template instanceof State.Forbidden(String why)) {
      return new Forbidden(why);
    }
    if (remediation instanceof State.Forbidden(String why)) {
      return new Forbidden(why);
    }
    if (template instanceof State.Missing(String why)) {
      return new Missing(why);
    }
    if (remediation instanceof State.Missing(String why)) {
      return new Missing(why);
    }
    boolean homeless =
        template instanceof State.Known(Kind kind) && kind.namespaced() && ref.namespace() == null;
    if (homeless) {
      return new Missing("its kind needs a namespace, and none is given");
    }
    return mirror
        .template(ref)
        .<TemplateLookup>map(Found::new)
        .orElseGet(() -> new Missing("no such object"));
  }
}
