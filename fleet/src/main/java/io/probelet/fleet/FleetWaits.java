package io.probelet.fleet;

import io.probelet.fleet.FleetWait.Source;
import io.probelet.nodehealth.controller.RemediationController;
import io.probelet.nodehealth.policy.DurationText;
import io.probelet.nodehealth.remediation.HoldReason;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Unhealthy;
import io.probelet.nodehealth.remediation.ObservedRemediation;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import io.probelet.nodehealth.resource.WireNames;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.web.remediation.RemediationView;
import io.probelet.web.remediation.RemediationView.CheckView;
import io.probelet.web.remediation.RemediatorsView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds what waits, and why: in the leader's words where it could be asked. */
final class FleetWaits {
  /** Remediators need not begin at once. */
  private static final Duration GRACE = Duration.ofMinutes(1);

  private final FleetFacts facts;
  private final Instant now;
  private final List<FleetWait> waits = new ArrayList<>();
  private final Set<String> remediated;

  private FleetWaits(FleetFacts facts, Instant now) {
    this.facts = facts;
    this.now = now;
    remediated = facts.remediated();
  }

  /** {@return the waits, in no order, in a list that is the caller's} */
  static List<FleetWait> of(FleetFacts facts, List<CheckPlan> plans, Instant now) {
    FleetWaits found = new FleetWaits(facts, now);
    found.leadership();
    plans.forEach(found::check);
    facts.remediations().forEach(found::remediation);
    found.kinds();
    return found.waits;
  }

  private void leadership() {
    for (FleetLeader leader : facts.leaders()) {
      if (leader.lease().equals(RemediationController.LEASE) && !leader.leading()) {
        String last =
            leader.holder().isEmpty()
                ? "no holder"
                : "last renewed by %s at %s".formatted(leader.holder(), leader.renewed());
        add(
            "",
            "",
            "NobodyLeads",
            "No leader, so no remediation starts: lease %s, %s".formatted(leader.lease(), last),
            null,
            Source.RESOURCE);
      }
    }
  }

  private void check(CheckPlan plan) {
    plan.check().status().unhealthyNodes().stream()
        .filter(UnhealthyNode::healthyDelayed)
        .forEach(node -> healthyAgain(plan, node));
    Optional<LeaderHolds> leader = LeaderHolds.of(facts.remediation(), plan);
    if (leader.isPresent()) {
      leader.get().held().forEach((name, node) -> byLeader(plan, leader.get().said(), name, node));
    } else {
      Set<String> nodes = new TreeSet<>(plan.holds().keySet());
      nodes.addAll(plan.census().unhealthy().keySet());
      nodes.forEach(node -> computed(plan, node));
    }
  }

  /** Its remediation is not ended yet, which may leave it cordoned or worse. */
  private void healthyAgain(CheckPlan plan, UnhealthyNode node) {
    Duration delay = plan.check().spec().healthyDelay();
    Instant since = node.conditionsHealthyTimestamp();
    boolean unended = remediated.contains(node.name()) || !node.remediations().isEmpty();
    if (delay.isZero() || !unended || plan.census().unhealthy().containsKey(node.name())) {
      return;
    }
    boolean byPerson = delay.isNegative();
    add(
        node.name(),
        subject(plan),
        "HealthyDelayed",
        byPerson
            ? "Healthy again; remediation ends when the node is annotated with %s"
                .formatted(WireNames.CONFIRMED_HEALTHY)
            : "Healthy again; remediation ends after healthyDelay " + DurationText.of(delay),
        byPerson || since == null ? null : since.plus(delay),
        Source.RESOURCE);
  }

  /** The leader's decision counts; the one computed here adds the numbers if it is the same. */
  private void byLeader(
      CheckPlan plan, CheckView said, String name, RemediationView.NodeView node) {
    String reason = FleetText.of(String.valueOf(node.heldBack()), FleetText.WORD);
    HoldReason own = plan.holds().get(name);
    if (own != null && !own.label().equals(reason)) {
      own = null;
    }
    String why =
        node.why() == null
            ? "the leader reports only " + reason
            : FleetText.of(node.why(), FleetText.SENTENCE);
    add(
        name,
        subject(plan),
        reason,
        own == null ? tooFew(plan, said, reason, why) : text(plan, own),
        own == null ? null : WaitText.until(own),
        Source.LEADER);
  }

  private static String tooFew(CheckPlan plan, CheckView said, String reason, String why) {
    NodeHealthCheckSpec spec = plan.check().spec();
    OptionalInt required = spec.floor().required(Math.max(0, said.observedNodes()));
    return reason.equals("TooFewHealthy") && required.isPresent()
        ? WaitText.tooFewHealthy(
            said.healthyNodes(), required.getAsInt(), spec.floor() + " of " + said.observedNodes())
        : WaitText.capitalized(why);
  }

  private void computed(CheckPlan plan, String node) {
    HoldReason hold = plan.holds().get(node);
    if (hold != null) {
      add(
          node,
          subject(plan),
          hold.label(),
          text(plan, hold),
          WaitText.until(hold),
          Source.COMPUTED);
      return;
    }
    Unhealthy verdict = plan.census().unhealthy().get(node);
    if (verdict == null || remediated.contains(node) || !allKindsRead(plan)) {
      return;
    }
    Duration age = Duration.between(due(plan, verdict), now);
    if (age.compareTo(GRACE) > 0) {
      add(
          node,
          subject(plan),
          "NotBegun",
          "No known reason, but no remediation has started for %s:".formatted(minutes(age))
              + " is a controller running, and allowed to create remediations?",
          null,
          Source.COMPUTED);
    }
  }

  private static String minutes(Duration duration) {
    return duration.toMinutes() == 1 ? "1 minute" : duration.toMinutes() + " minutes";
  }

  private static Instant due(CheckPlan plan, Unhealthy verdict) {
    return plan.check().spec().unhealthyConditions().stream()
        .filter(
            rule -> rule.type().equals(verdict.type()) && rule.status().equals(verdict.status()))
        .map(rule -> verdict.since().plus(rule.duration()))
        .min(Comparator.naturalOrder())
        .orElse(verdict.since());
  }

  private boolean allKindsRead(CheckPlan plan) {
    return plan.check().spec().steps().stream()
        .noneMatch(step -> facts.unread().contains(step.remediationKind()));
  }

  /** One that timed out or is being deleted no longer waits. */
  private void remediation(RemediationReading reading) {
    ObservedRemediation observed = reading.observed();
    if (observed.deleting() || observed.annotations().containsKey(WireNames.TIMED_OUT)) {
      return;
    }
    Optional<RemediationKind> ours = RemediationKind.ofKind(observed.ref().kind());
    Duration age = Duration.between(observed.created(), now);
    String why = "";
    if (reading.phase().equals(RemediationPhase.HELD.label())) {
      why = reading.message().isEmpty() ? "its remediator is waiting" : reading.message();
    } else if (ours.isPresent()
        && reading.phase().equals(RemediationPhase.PENDING.label())
        && age.compareTo(GRACE) > 0) {
      why =
          "not started for %s: is %s enabled in the controller's --remediators?"
              .formatted(minutes(age), ours.get().label());
    }
    if (!why.isEmpty()) {
      add(
          observed.nodeName(),
          observed.ref().kind() + "/" + observed.ref().name(),
          reading.phase(),
          WaitText.capitalized(why),
          null,
          Source.RESOURCE);
    }
  }

  private void kinds() {
    RemediatorsView view = facts.remediators();
    if (view == null) {
      return;
    }
    for (RemediatorsView.KindView kind : view.kinds()) {
      String problem = kind.problem();
      String name = kind.kind(); // empty where JSON leaves it out
      if (problem != null && !name.isEmpty()) {
        add(
            "",
            FleetText.of(name, FleetText.WORD),
            "NotCarriedOut",
            "%s does not run: %s"
                .formatted(
                    FleetText.of(name, FleetText.WORD), FleetText.of(problem, FleetText.SENTENCE)),
            null,
            Source.LEADER);
      }
    }
  }

  private static String text(CheckPlan plan, HoldReason hold) {
    return WaitText.of(hold, plan.check().spec(), plan.census().observed());
  }

  private static String subject(CheckPlan plan) {
    return "NodeHealthCheck/" + plan.check().name();
  }

  private void add(
      String node,
      String check,
      String reason,
      String why,
      @Nullable Instant until,
      Source source) {
    waits.add(
        new FleetWait(
            FleetText.of(node, FleetText.NAME),
            check,
            reason,
            FleetText.of(why, FleetText.SENTENCE),
            until,
            source));
  }

  /** Only for what follows from the conditions of a node alone. */
  static FleetWait unselected(String node, boolean installed) {
    return new FleetWait(
        node,
        "",
        "NoNodeHealthCheck",
        installed
            ? "No valid NodeHealthCheck selects this node, so it is not remediated"
            : "NodeHealthChecks are not installed, so it is not remediated",
        null,
        Source.COMPUTED);
  }
}
