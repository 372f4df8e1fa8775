package io.probelet.nodehealth.rehearsal;

import io.probelet.nodehealth.maintenance.Maintenance;
import io.probelet.nodehealth.rehearsal.RehearsalTotals.Outcome;
import io.probelet.nodehealth.rehearsal.TapeEvent.CheckIs;
import io.probelet.nodehealth.rehearsal.TapeEvent.CheckIsGone;
import io.probelet.nodehealth.rehearsal.TapeEvent.MaintenanceIs;
import io.probelet.nodehealth.rehearsal.TapeEvent.MaintenanceIsGone;
import io.probelet.nodehealth.rehearsal.TapeEvent.Moment;
import io.probelet.nodehealth.rehearsal.TapeEvent.NodeAgain;
import io.probelet.nodehealth.rehearsal.TapeEvent.NodeHelped;
import io.probelet.nodehealth.rehearsal.TapeEvent.NodeIs;
import io.probelet.nodehealth.rehearsal.TapeEvent.NodeIsGone;
import io.probelet.nodehealth.rehearsal.TapeEvent.RemediationIs;
import io.probelet.nodehealth.rehearsal.TapeEvent.RemediationIsGone;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.ObservedRemediation;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.remediation.RemediationAction;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.DeleteRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.MarkTimedOut;
import io.probelet.nodehealth.remediation.RemediationDraft;
import io.probelet.nodehealth.remediation.TemplateLookup;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import io.probelet.nodehealth.simulation.VirtualCluster;
import io.probelet.nodehealth.simulation.VirtualController;
import io.probelet.nodehealth.tape.RecordedRemediation;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plays a tape for one set of NodeHealthChecks. Node states come from the tape. The planner creates
 * and deletes remediations, which do not change nodes (TP-3).
 *
 * <p>Not thread-safe.
 */
final class RehearsalRun implements Column {
  /** The time of a remediation without a timeout, as for its node's lease. */
  private static final Duration UNTIMED = Duration.ofMinutes(10);

  private static final Duration TICK = Duration.ofSeconds(1);

  private final String title;
  private final VirtualCluster cluster;
  private final VirtualController controller;
  private final UnhealthyIntervals spells;
  private final Holds holds = new Holds();
  private final PeakConcurrency atOnce = new PeakConcurrency();
  private final boolean inForce;
  private long givenUp;
  private boolean news = true;

  private RehearsalRun(Candidate candidate, boolean inForce, Duration heals, Instant start) {
    this.title = candidate.title();
    this.inForce = inForce;
    this.cluster = new VirtualCluster(start);
    this.controller = new VirtualController(cluster, this::record);
    this.spells = new UnhealthyIntervals(heals);
    candidate.templates().forEach(cluster::put);
    candidate.checks().forEach(cluster::put);
    candidate.policies().forEach(cluster::put);
    candidate.maintenances().forEach(cluster::put);
  }

  /** The NodeHealthChecks on the tape, which change with it. */
  static RehearsalRun inForce(Duration heals, Instant start) {
    return new RehearsalRun(
        new Candidate("in force", List.of(), Map.of(), List.of()), true, heals, start);
  }

  /** Candidate NodeHealthChecks, independent of the tape. */
  static RehearsalRun of(Candidate candidate, Duration heals, Instant start) {
    return new RehearsalRun(candidate, false, heals, start);
  }

  private Collection<NodeHealthCheck> checks() {
    return cluster.checks().values();
  }

  private Instant now() {
    return cluster.now();
  }

  // --- Events of the tape

  @Override
  public void take(TapeEvent cue) {
    switch (cue) {
      case Moment(Instant at) -> {
        settleIfNews();
        advanceTo(at);
      }
      case NodeIs(NodeFacts node, boolean remediated, boolean cordoned) ->
          node(node, remediated || cordoned);
      case NodeIsGone(String node) -> nodeGone(node);
      case NodeHelped(String node) -> spells.helped(node);
      case MaintenanceIs(Maintenance maintenance) -> {
        news = true;
        cluster.put(maintenance);
      }
      case MaintenanceIsGone(String maintenance) -> {
        news = true;
        cluster.removeMaintenance(maintenance);
      }
      case RemediationIs(RecordedRemediation remediation, _, boolean adopted) -> {
        if (inForce && adopted) {
          adopt(remediation);
        }
        spells.helped(remediation.node());
        if (remediation.succeeded() != Success.UNKNOWN) {
          said(remediation);
        }
      }
      case RemediationIsGone _ -> {}
      case NodeAgain(NodeFacts node, boolean remediated) when inForce -> node(node, remediated);
      case CheckIs(NodeHealthCheck check, var templates) when inForce -> check(check, templates);
      case CheckIsGone(String check) when inForce -> checkGone(check);
      case NodeAgain _, CheckIs _, CheckIsGone _ -> {} // a candidate has its own
    }
  }

  /** Advances time, and plans at each timer on the way. */
  private void advanceTo(Instant moment) {
    for (Optional<Instant> due = due(moment); due.isPresent(); due = due(moment)) {
      cluster.advanceTo(due.get());
      settle();
    }
    cluster.advanceTo(moment);
  }

  private Optional<Instant> due(Instant before) {
    return next()
        .map(at -> at.isAfter(now()) ? at : now().plus(TICK)) // time advances in any case
        .filter(at -> at.isBefore(before));
  }

  private Optional<Instant> next() {
    Optional<Instant> planned = controller.nextWakeUp();
    Optional<Instant> change = cluster.nextChange();
    boolean sooner =
        change.isPresent() && (planned.isEmpty() || change.get().isBefore(planned.get()));
    return sooner ? change : planned;
  }

  private void node(NodeFacts node, boolean helped) {
    news |= cluster.putSaysNews(node);
    spells.node(node, checks(), now(), helped);
  }

  private void nodeGone(String node) {
    news = true;
    cluster.removeNode(node);
    spells.gone(node, now());
  }

  private void check(NodeHealthCheck check, Map<ObjectRef, TemplateLookup> templates) {
    news = true;
    templates.forEach(cluster::put);
    NodeHealthCheck before = cluster.checks().get(check.name());
    cluster.put(before == null ? check : check.withStatus(before.status()));
  }

  private void checkGone(String check) {
    news = true;
    cluster.removeCheck(check);
    controller.forget(check);
    holds.observe(check, null, now());
  }

  /** A remediation from before the tape began, whose NodeHealthCheck is in force. */
  private void adopt(RecordedRemediation remediation) {
    news = true;
    cluster.put(remediation.observed());
    atOnce.begins(remediation.node());
  }

  /** TP-4: the result of a recorded remediation also applies to one of the same kind here. */
  private void said(RecordedRemediation recorded) {
    for (ObservedRemediation other : List.copyOf(cluster.remediations())) {
      if (other.ref().kind().equals(recorded.ref().kind())
          && other.nodeName().equals(recorded.node())
          && other.succeeded() == Success.UNKNOWN) {
        news = true;
        cluster.put(other.withSucceeded(recorded.succeeded()));
      }
    }
  }

  /** Plans after all lines of one moment. */
  private void settleIfNews() {
    if (news || next().filter(at -> !at.isAfter(now())).isPresent()) {
      settle();
    }
  }

  @Override
  public RehearsalTotals finish(Instant end) {
    advanceTo(end);
    settleIfNews();
    spells.finish(end);
    return tally(title, spells, givenUp, atOnce, holds.finish(end));
  }

  static RehearsalTotals tally(
      String title,
      UnhealthyIntervals spells,
      long givenUp,
      PeakConcurrency atOnce,
      Map<String, RehearsalTotals.Held> holds) {
    Map<Outcome, Long> outcomes = spells.outcomes();
    return new RehearsalTotals(
        title,
        spells.remediations(),
        spells.nodes(),
        givenUp,
        outcomes,
        atOnce.most(),
        spells.unhealthy(),
        spells.estimate(),
        holds,
        spells.first());
  }

  private void settle() {
    news = false;
    controller.settle();
    for (String check : cluster.checks().keySet()) {
      holds.observe(check, controller.lastPlan(check).orElse(null), now());
    }
  }

  // --- Actions of the planner

  private void record(RemediationAction action) {
    switch (action) {
      case CreateRemediation(String node, RemediationDraft draft) -> {
        atOnce.begins(node);
        String check = draft.owners().isEmpty() ? "" : draft.owners().getFirst().name();
        String template = draft.annotations().getOrDefault(WireNames.TEMPLATE_NAME, "");
        Duration time = time(cluster.checks().get(check), draft.kind(), template);
        spells.remediated(node, draft.kind(), check, now(), time);
      }
      case DeleteRemediation(String node, _) -> atOnce.ends(node);
      case MarkTimedOut _ -> givenUp++;
      default -> {}
    }
  }

  /** TP-6: the timeout of the step that created it. */
  static Duration time(@Nullable NodeHealthCheck owner, String kind, String template) {
    if (owner == null) {
      return UNTIMED;
    }
    return owner.spec().steps().stream()
        .filter(step -> step.remediationKind().equals(kind))
        .filter(step -> template.isEmpty() || step.template().name().equals(template))
        .map(RemediationStep::timeout)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(UNTIMED);
  }
}
