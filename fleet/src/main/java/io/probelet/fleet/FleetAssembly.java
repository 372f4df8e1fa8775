package io.probelet.fleet;

import io.probelet.fleet.FleetCondition.Verdict;
import io.probelet.nodehealth.policy.PastRemediation;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Soon;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Undecided;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Unhealthy;
import io.probelet.nodehealth.remediation.NodeFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes the view from the facts. Pure: equal facts at one moment give equal views. */
final class FleetAssembly {
  private static final int MAX_EVENTS = 1_000;
  private static final int MAX_PAST = 1_000;
  private static final int MAX_REMEDIATIONS = 2_000;

  private final FleetFacts facts;
  private final Instant now;
  private final List<CheckPlan> plans;
  private final List<FleetRemediation> remediations;
  private final List<FleetWait> waits;
  private final Set<String> remediated;
  private final Set<String> waiting = new HashSet<>();
  private final Set<String> atWork = new HashSet<>();

  private FleetAssembly(FleetFacts facts, CensusCache censuses, Instant now) {
    this.facts = facts;
    this.now = now;
    CheckPlan.Planner planner = new CheckPlan.Planner(facts, censuses, now);
    plans =
        facts.checks().stream()
            .map(CheckReading::valid)
            .filter(Objects::nonNull)
            .map(planner::plan)
            .toList();
    remediations = FleetRemediations.of(facts, plans);
    waits = FleetWaits.of(facts, plans, now);
    remediated = facts.remediated();
    waits.forEach(wait -> waiting.add(wait.node()));
    remediations.stream()
        .filter(each -> each.state() != FleetRemediation.State.TIMED_OUT)
        .filter(each -> each.state() != FleetRemediation.State.NOT_SEEN)
        .forEach(each -> atWork.add(each.node()));
  }

  /**
   * Shows a cluster.
   *
   * @param censuses saves counting; changes nothing about the view
   */
  static FleetView view(FleetFacts facts, CensusCache censuses, Instant now) {
    return new FleetAssembly(facts, censuses, now).view();
  }

  private FleetView view() {
    List<FleetNode> nodes =
        facts.nodes().stream()
            .map(this::node)
            .sorted(Comparator.comparing(FleetNode::name))
            .toList();
    waits.sort(
        Comparator.comparing(FleetWait::node)
            .thenComparing(FleetWait::check)
            .thenComparing(FleetWait::reason));
    return new FleetView(
        now,
        facts.server(),
        nodes,
        waits,
        remediations.stream().limit(MAX_REMEDIATIONS).toList(),
        facts.checks().stream().map(this::check).toList(),
        facts.policies().stream().map(this::policy).toList(),
        facts.leaders(),
        facts.clusterHealth(),
        facts.events().stream()
            .sorted(Comparator.comparing(FleetEvent::time).reversed())
            .limit(MAX_EVENTS)
            .toList(),
        past(),
        facts.absent(),
        gaps());
  }

  /** Objects left out of the view are named, too. */
  private List<FleetGap> gaps() {
    List<FleetGap> gaps = new ArrayList<>(facts.gaps());
    leftOut("Remediations shown", remediations.size(), MAX_REMEDIATIONS, gaps);
    leftOut("Events shown", facts.events().size(), MAX_EVENTS, gaps);
    return gaps;
  }

  private static void leftOut(String what, int all, int most, List<FleetGap> gaps) {
    if (all > most) {
      gaps.add(
          new FleetGap(what, FleetGap.Kind.TOO_MANY, "the newest " + most + " of " + all, false));
    }
  }

  private List<FleetPast> past() {
    return facts.policies().stream()
        .flatMap(policy -> policy.recent().stream())
        .distinct()
        .sorted(Comparator.comparing(PastRemediation::time).reversed())
        .limit(MAX_PAST)
        .map(past ->
            new FleetPast(
                past.time(),
                FleetText.of(past.node(), FleetText.NAME),
                FleetText.of(past.kind(), FleetText.WORD)))
        .toList();
  }

  // --- Nodes

  /** What speaks against a node. */
  private record Problem(FleetNode.State state, String what, @Nullable Instant since) {}

  private FleetNode node(NodeReading reading) {
    String name = reading.facts().name();
    List<String> checks = new ArrayList<>();
    Unhealthy unhealthy = null;
    Instant soon = null;
    boolean undecided = false;
    for (CheckPlan plan : plans) {
      NodeHealth health = plan.census().health(name).orElse(null);
      if (health == null) {
        continue;
      }
      checks.add(plan.check().name());
      if (health instanceof Unhealthy found) {
        unhealthy = unhealthy == null ? found : unhealthy;
      } else if (health instanceof Soon(Instant at)) {
        soon = soon == null || at.isBefore(soon) ? at : soon;
      } else {
        undecided |= health instanceof Undecided;
      }
    }
    Problem problem = problem(reading, unhealthy, soon, undecided);
    if (problem.state() == FleetNode.State.UNHEALTHY
        && checks.isEmpty()
        && facts.isKnown(FleetFacts.CHECKS)) {
      waits.add(FleetWaits.unselected(name, !facts.absent().contains(FleetFacts.CHECKS)));
    }
    return new FleetNode(
        name,
        reading.facts().created(),
        reading.facts().labels(),
        reading.cordoned(),
        reading.taints(),
        reading.conditions(),
        waiting.contains(name)
            ? FleetNode.State.WAITING
            : atWork.contains(name) ? FleetNode.State.REMEDIATING : problem.state(),
        problem.what(),
        problem.since(),
        unhealthy == null ? soon : null,
        checks);
  }

  private static Problem problem(
      NodeReading reading,
      @Nullable Unhealthy unhealthy,
      @Nullable Instant soon,
      boolean undecided) {
    if (unhealthy != null) {
      return new Problem(
          FleetNode.State.UNHEALTHY,
          FleetText.of(unhealthy.condition(), FleetText.NAME),
          unhealthy.since());
    }
    Optional<FleetCondition> ready =
        reading.conditions().stream()
            .filter(condition -> condition.type().equals("Ready"))
            .findFirst();
    Optional<FleetCondition> worst =
        Stream.concat(
                ready.filter(condition -> condition.verdict() != Verdict.GOOD).stream(),
                reading.conditions().stream()
                    .filter(condition -> condition.verdict() != Verdict.GOOD))
            .findFirst();
    FleetNode.State state;
    if (soon != null) {
      state = FleetNode.State.SOON;
    } else if (ready.isEmpty()) {
      return new Problem(FleetNode.State.UNREPORTED, "Ready missing", reading.facts().created());
    } else if (ready.get().verdict() != Verdict.GOOD) {
      state = FleetNode.State.UNHEALTHY;
    } else {
      state = worst.isPresent() || undecided ? FleetNode.State.PROBLEM : FleetNode.State.HEALTHY;
    }
    return new Problem(
        state,
        worst
            .map(condition -> condition.type() + "=" + condition.status())
            .orElse(undecided ? "unhealthy-when has no value" : ""),
        worst.map(FleetCondition::since).orElse(null));
  }

  // --- What is wanted of them

  private FleetCheck check(CheckReading reading) {
    CheckPlan plan =
        plans.stream()
            .filter(each -> each.check().name().equals(reading.name()))
            .findFirst()
            .orElse(null);
    if (plan == null) {
      return new FleetCheck(
          reading.name(),
          phase(reading),
          FleetText.of(reading.status().reason(), FleetText.SENTENCE),
          reading.problem(),
          0,
          0,
          null,
          "",
          List.of(),
          List.of(),
          reading.conditions(),
          List.of(),
          reading.status().lastUpdateTime());
    }
    var spec = plan.check().spec();
    var required = spec.floor().required(plan.census().observed());
    return new FleetCheck(
        reading.name(),
        phase(reading),
        FleetText.of(reading.status().reason(), FleetText.SENTENCE),
        "",
        plan.census().observed(),
        plan.census().healthy(),
        required.isPresent() ? required.getAsInt() : null,
        spec.floor().toString(),
        spec.pauseRequests().stream()
            .map(request -> FleetText.of(request, FleetText.NAME))
            .toList(),
        spec.steps().stream()
            .map(step ->
                new FleetCheck.Step(
                    FleetText.of(step.remediationKind(), FleetText.WORD),
                    FleetText.of(step.template().name(), FleetText.NAME),
                    step.timeout()))
            .toList(),
        reading.conditions(),
        List.copyOf(plan.census().unhealthy().keySet()),
        reading.status().lastUpdateTime());
  }

  /** A NodeHealthCheck without a status yet has none. */
  private static String phase(CheckReading reading) {
    return FleetText.of(reading.resource().at("/status/phase"), FleetText.WORD);
  }

  /** A remediation that was given up counts until it is deleted, as it does for the leader. */
  private FleetPolicy policy(PolicyReading reading) {
    List<String> selected =
        facts.nodes().stream()
            .map(NodeReading::facts)
            .filter(node -> reading.policy().selector().matches(node.labels()))
            .map(NodeFacts::name)
            .toList();
    Instant hourAgo = now.minusSeconds(3600);
    return PolicyLimitTexts.policy(
        reading,
        selected.size(),
        (int) selected.stream().filter(remediated::contains).count(),
        (int) reading.recent().stream().filter(past -> past.time().isAfter(hourAgo)).count());
  }
}
