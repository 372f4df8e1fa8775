package io.probelet.nodehealth.simulation;

import io.probelet.nodehealth.maintenance.Maintenance;
import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.remediation.ObservedRemediation;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.remediation.RemediationAction;
import io.probelet.nodehealth.remediation.RemediationAction.ClaimLease;
import io.probelet.nodehealth.remediation.RemediationAction.ClearConfirmation;
import io.probelet.nodehealth.remediation.RemediationAction.CountRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.DeleteRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.remediation.RemediationAction.FlagOld;
import io.probelet.nodehealth.remediation.RemediationAction.MarkHealthyDelay;
import io.probelet.nodehealth.remediation.RemediationAction.MarkTimedOut;
import io.probelet.nodehealth.remediation.RemediationAction.ReleaseLease;
import io.probelet.nodehealth.remediation.RemediationAction.TakeApproval;
import io.probelet.nodehealth.remediation.TemplateLookup;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.UnhealthyCondition;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.simulation.Scenario.Change;
import io.probelet.nodehealth.simulation.Scenario.NodeGroup;
import io.probelet.nodehealth.simulation.Scenario.Outcome;
import io.probelet.nodehealth.simulation.Scenario.Remediator;
import io.probelet.nodehealth.simulation.Timeline.Actor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Plays a scenario through the planner; equal inputs give equal timelines. */
public final class Simulation {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final Scenario scenario;
  private final VirtualCluster cluster = new VirtualCluster(START);
  private final VirtualController controller = new VirtualController(cluster, this::record);
  private final TimelineWriter timeline = new TimelineWriter(cluster, controller, START);
  private final Queue<Due> dues =
      new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingLong(Due::number));
  private long number;
  private int created;
  private int givenUp;
  private int deleted;

  private record Due(Instant at, long number, Runnable work) {}

  private Simulation(
      Scenario scenario,
      List<NodeHealthCheck> checks,
      Map<ObjectRef, TemplateLookup> templates,
      List<RemediationPolicy> policies,
      List<Maintenance> maintenances) {
    this.scenario = scenario;
    policies.forEach(cluster::put);
    maintenances.forEach(cluster::put);
    templates.forEach(cluster::put);
    for (NodeGroup group : scenario.nodes()) {
      for (String name : group.names()) {
        List<NodeCondition> ready = List.of(new NodeCondition("Ready", "True", START));
        cluster.put(new NodeFacts(name, "node-" + name, START, group.labels(), ready, false, null));
      }
    }
    checks.forEach(cluster::put);
    for (Remediator remediator : scenario.remediators()) {
      if (remediator.cleanup().isPositive()) {
        cluster.holdDeletionOf(remediator.kind());
      }
    }
    scenario.events().forEach(event -> at(START.plus(event.at()), () -> change(event.change())));
  }

  /**
   * Plays a scenario.
   *
   * @param checks the NodeHealthChecks, with distinct names
   * @param templates lookup results of templates; others are missing
   */
  public static Timeline run(
      Scenario scenario,
      List<NodeHealthCheck> checks,
      Map<ObjectRef, TemplateLookup> templates,
      Duration length) {
    return run(scenario, checks, templates, List.of(), List.of(), length);
  }

  /**
   * Plays a scenario in a cluster with limits and maintenance.
   *
   * @param checks the NodeHealthChecks, with distinct names
   * @param templates lookup results of templates; others are missing
   * @param policies the RemediationPolicies, with distinct names
   * @param maintenances the Maintenances, with distinct names
   */
  public static Timeline run(
      Scenario scenario,
      List<NodeHealthCheck> checks,
      Map<ObjectRef, TemplateLookup> templates,
      List<RemediationPolicy> policies,
      List<Maintenance> maintenances,
      Duration length) {
    return new Simulation(scenario, checks, templates, policies, maintenances)
        .play(START.plus(length));
  }

  private Timeline play(Instant end) {
    settle();
    for (Instant next = next(end); !next.isAfter(end) && hasNext(end); next = next(end)) {
      cluster.advanceTo(next);
      while (!dues.isEmpty() && !dues.element().at().isAfter(next)) {
        dues.remove().work().run();
      }
      settle();
    }
    cluster.advanceTo(end);
    return timeline.finish(outcome());
  }

  private boolean hasNext(Instant end) {
    return (!dues.isEmpty() && !dues.element().at().isAfter(end))
        || controller.nextWakeUp().filter(at -> !at.isAfter(end)).isPresent();
  }

  private Instant next(Instant end) {
    Instant due = dues.isEmpty() ? end : dues.element().at();
    return controller.nextWakeUp().filter(at -> at.isBefore(due)).orElse(due);
  }

  private void settle() {
    controller.settle();
    timeline.observe();
  }

  // --- Events of the cluster

  private void at(Instant moment, Runnable work) {
    dues.add(new Due(moment, number++, work));
  }

  private void change(Change change) {
    switch (change) {
      case Change.Condition(List<String> nodes, String type, String status) -> {
        List<String> there = there(nodes);
        there.forEach(name -> setCondition(name, type, status));
        happens(there, type + "=" + status);
      }
      case Change.Label(List<String> nodes, String label, String value) -> {
        List<String> there = there(nodes);
        there.forEach(name -> cluster.put(node(name).withLabel(label, value)));
        happens(
            there, value == null ? "label " + label + " removed" : "label " + label + "=" + value);
      }
      case Change.Removal(List<String> nodes) -> {
        List<String> there = there(nodes);
        there.forEach(cluster::removeNode);
        happens(there, "deleted from the cluster");
      }
      case Change.Confirmation(List<String> nodes) -> {
        List<String> there = there(nodes);
        there.forEach(name -> cluster.put(node(name).withConfirmedHealthy(true)));
        happens(there, "confirmed healthy by a person");
      }
      case Change.Pause(List<String> requests) -> {
        List.copyOf(cluster.checks().values())
            .forEach(check -> cluster.put(check.withPauseRequests(requests)));
        timeline.add(
            Actor.CLUSTER,
            List.of(),
            requests.isEmpty()
                ? "pause requests removed"
                : "pause requested: " + String.join(", ", requests));
      }
    }
  }

  private List<String> there(List<String> names) {
    return names.stream().filter(cluster.nodes()::containsKey).toList();
  }

  private NodeFacts node(String name) {
    return Optional.ofNullable(cluster.nodes().get(name)).orElseThrow();
  }

  private void setCondition(String name, String type, String status) {
    boolean same =
        node(name).conditions().stream()
            .anyMatch(old -> old.type().equals(type) && old.status().equals(status));
    if (!same) { // a transition time changes only with the status
      cluster.put(node(name).withCondition(type, status, cluster.now()));
    }
  }

  private void react(Remediator remediator, String node) {
    Optional<ObservedRemediation> target =
        cluster.remediations().stream()
            .filter(other -> other.ref().kind().equals(remediator.kind()))
            .filter(other -> other.nodeName().equals(node) && !other.deleting())
            .findFirst();
    if (target.isEmpty()) {
      return;
    }
    String kind = remediator.kind();
    switch (remediator.outcome()) {
      case HEALS -> {
        cluster.put(target.get().withSucceeded(Success.YES));
        heal(node);
        timeline.add(Actor.REMEDIATOR, List.of(node), kind + ": succeeded, the node is healthy");
      }
      case SUCCEEDS -> {
        cluster.put(target.get().withSucceeded(Success.YES));
        timeline.add(
            Actor.REMEDIATOR, List.of(node), kind + ": succeeded, but the node is unchanged");
      }
      case FAILS -> {
        cluster.put(target.get().withSucceeded(Success.NO));
        timeline.add(Actor.REMEDIATOR, List.of(node), kind + ": failed");
      }
      case NOTHING -> {}
    }
  }

  /** Inverts every condition that makes the node unhealthy. */
  private void heal(String name) {
    if (!cluster.nodes().containsKey(name)) {
      return;
    }
    for (NodeHealthCheck check : cluster.checks().values()) {
      for (UnhealthyCondition rule : check.spec().unhealthyConditions()) {
        if (node(name).meets(rule)) {
          setCondition(name, rule.type(), rule.status().equals("True") ? "False" : "True");
        }
      }
    }
  }

  // --- Our actions

  private void record(RemediationAction action) {
    switch (action) {
      case CreateRemediation(String node, var draft) -> {
        created++;
        timeline.add(Actor.PROBELET, List.of(node), "created " + draft.kind());
        remediator(draft.kind(), node)
            .filter(remediator -> remediator.outcome() != Outcome.NOTHING)
            .ifPresent(remediator ->
                at(cluster.now().plus(remediator.after()), () -> react(remediator, node)));
      }
      case DeleteRemediation(String node, ObservedRemediation remediation) -> {
        deleted++;
        String kind = remediation.ref().kind();
        timeline.add(Actor.PROBELET, List.of(node), "deleted " + kind);
        remediator(kind, node)
            .ifPresent(remediator ->
                at(
                    cluster.now().plus(remediator.cleanup()),
                    () -> cluster.remove(remediation.uid())));
      }
      case MarkTimedOut(String node, ObservedRemediation remediation, _) -> {
        givenUp++;
        timeline.add(Actor.PROBELET, List.of(node), "gave up " + remediation.ref().kind());
        timeline.turnOver(node, remediation);
      }
      case MarkHealthyDelay(String node, _, _) ->
          timeline.add(Actor.PROBELET, List.of(node), "healthy again, healthyDelay started");
      case FlagOld(String node, ObservedRemediation remediation) ->
          timeline.add(
              Actor.PROBELET, List.of(node), "flagged " + remediation.ref().kind() + " as old");
      case ClearConfirmation(String node) ->
          timeline.add(
              Actor.PROBELET, List.of(node), "removed the annotation that confirmed it healthy");
      case EmitEvent event -> record(event);
      case TakeApproval(String node, _, _) ->
          timeline.add(Actor.PROBELET, List.of(node), "used the node's approval");
      case ClaimLease _, ReleaseLease _, CountRemediation _ -> {}
    }
  }

  private void record(EmitEvent event) {
    switch (event.reason()) {
      case "DetectedUnhealthy" -> detected(event.node());
      case "StormRecoveryStarted" ->
          timeline.add(Actor.PROBELET, List.of(), "storm recovery started: no new remediations");
      case "StormRecoveryCooldownStarted" ->
          timeline.add(
              Actor.PROBELET,
              List.of(),
              "storm recovery: enough nodes are healthy, cooldown started");
      case "StormRecoveryEnded" -> timeline.add(Actor.PROBELET, List.of(), "storm recovery ended");
      default -> {} // the others repeat an action or a hold reason
    }
  }

  private void detected(@Nullable String node) {
    cluster.checks().keySet().stream()
        .flatMap(check -> Stream.ofNullable(cluster.view(check).census().unhealthy().get(node)))
        .findFirst()
        .ifPresent(verdict ->
            timeline.add(
                Actor.PROBELET,
                List.of(Objects.requireNonNull(node)),
                "unhealthy: "
                    + verdict.condition()
                    + " since "
                    + timeline.elapsed(verdict.since())));
  }

  private Optional<Remediator> remediator(String kind, String node) {
    return scenario.remediators().stream()
        .filter(remediator -> remediator.isFor(kind, node))
        .findFirst();
  }

  private List<String> outcome() {
    List<String> lines = new ArrayList<>();
    for (NodeHealthCheck check : cluster.checks().values()) {
      NodeHealthCheckStatus status = check.status();
      lines.add(
          "%s: %d of %d nodes healthy; %s"
              .formatted(
                  check.name(), status.healthyNodes(), status.observedNodes(), status.reason()));
    }
    lines.add("%d created, %d given up, %d deleted".formatted(created, givenUp, deleted));
    return lines;
  }

  private void happens(List<String> nodes, String what) {
    if (!nodes.isEmpty()) {
      timeline.add(Actor.CLUSTER, nodes, what);
    }
  }
}
