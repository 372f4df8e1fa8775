package io.probelet.fleet;

import io.probelet.nodehealth.policy.PolicyBook;
import io.probelet.nodehealth.policy.PolicyFacts;
import io.probelet.nodehealth.policy.PolicyNode;
import io.probelet.nodehealth.rehearsal.AssumedTemplates;
import io.probelet.nodehealth.remediation.ClusterView;
import io.probelet.nodehealth.remediation.HoldReason;
import io.probelet.nodehealth.remediation.NodeCensus;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeLease;
import io.probelet.nodehealth.remediation.ObservedRemediation;
import io.probelet.nodehealth.remediation.PendingWrites;
import io.probelet.nodehealth.remediation.Plan;
import io.probelet.nodehealth.remediation.Plan.PlannerMemory;
import io.probelet.nodehealth.remediation.RemediationIndex;
import io.probelet.nodehealth.remediation.RemediationPlanner;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/**
 * What the rules of remediation say of one NodeHealthCheck, applied to what could be read: the same
 * planner as the leader's. Nothing of the plan is carried out.
 *
 * @param holds why which node is not remediated, or not further
 */
record CheckPlan(NodeHealthCheck check, NodeCensus census, Map<String, HoldReason> holds) {
  /** Plans for NodeHealthChecks of one cluster at one moment. */
  static final class Planner {
    private final CensusCache censuses;
    private final RemediationIndex remediations;
    private final PMap<String, NodeLease> leases;
    private final PolicyFacts policies;
    private final Instant now;

    Planner(FleetFacts facts, CensusCache censuses, Instant now) {
      this.now = now;
      this.censuses = censuses;
      List<NodeFacts> nodes = facts.nodes().stream().map(NodeReading::facts).toList();
      List<ObservedRemediation> observed =
          facts.remediations().stream().map(RemediationReading::observed).toList();
      remediations = RemediationIndex.of(observed);
      Map<String, NodeLease> byName = new HashMap<>();
      facts.leases().forEach(lease -> byName.put(lease.name(), lease));
      leases = HashTreePMap.from(byName);
      censuses.update(
          nodes, facts.checks().stream().map(CheckReading::name).collect(Collectors.toSet()));
      policies = policies(facts, nodes, censuses, remediations);
    }

    /** {@return the leader's plan, if it sees the same as this reader} */
    CheckPlan plan(NodeHealthCheck check) {
      NodeCensus census = censuses.census(check, now);
      HoldReason disabled = disabled(check);
      if (disabled != null) {
        Map<String, HoldReason> all = new TreeMap<>();
        census.unhealthy().keySet().forEach(node -> all.put(node, disabled));
        return new CheckPlan(check, census, all);
      }
      Plan plan =
          RemediationPlanner.plan(
              new ClusterView(
                  check,
                  census,
                  remediations,
                  AssumedTemplates.of(check),
                  leases,
                  PendingWrites.NONE,
                  policies),
              PlannerMemory.restoredFrom(check.status()));
      return new CheckPlan(check, census, new TreeMap<>(plan.memory().nodes()));
    }
  }

  /** Whether templates can be used its controller has found out. */
  private static @Nullable HoldReason disabled(NodeHealthCheck check) {
    return check
        .status()
        .condition(StatusCondition.DISABLED)
        .filter(StatusCondition::active)
        .map(condition -> new HoldReason.Disabled(condition.reason(), condition.message()))
        .orElse(null);
  }

  /** Policies that must not be read hold nothing here: whether they do the leader alone knows. */
  private static PolicyFacts policies(
      FleetFacts facts,
      List<NodeFacts> nodes,
      CensusCache censuses,
      RemediationIndex remediations) {
    List<Map<String, String>> labels = nodes.stream().map(NodeFacts::labels).toList();
    PolicyBook book = new PolicyBook();
    facts
        .policies()
        .forEach(reading -> {
          var _ = book.put(reading.policy(), reading.recent(), labels);
        });
    return book.facts(
        remediations.nodes().stream()
            .map(name -> {
              NodeFacts node = censuses.node(name);
              return PolicyNode.of(name, node == null ? null : node.labels());
            })
            .toList());
  }
}
