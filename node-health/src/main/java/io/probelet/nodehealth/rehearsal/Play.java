package io.probelet.nodehealth.rehearsal;

import io.probelet.nodehealth.rehearsal.Tally.Outcome;
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
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.RemediationStep;
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

/**
 * Plays a tape for one set of NodeHealthChecks. The nodes are as the tape has them; remediations
 * come and go as the planner has them, and heal nothing (TP-3).
 *
 * <p>Not safe for use by several threads.
 */
final class Play {
  /** What a remediation without a time is given, as its node's lease is. */
  private static final Duration UNTIMED = Duration.ofMinutes(10);

  private static final Duration TICK = Duration.ofSeconds(1);

  private final String title;
  private final VirtualCluster cluster;
  private final VirtualController controller;
  private final Spells spells;
  private final Holds holds = new Holds();
  private final AtOnce atOnce = new AtOnce();
  private long givenUp;
  private boolean news = true;

  Play(Candidate candidate, Duration heals, Instant start) {
    this.title = candidate.title();
    this.cluster = new VirtualCluster(start);
    this.controller = new VirtualController(cluster, this::record);
    this.spells = new Spells(heals);
    candidate.templates().forEach(cluster::put);
    candidate.checks().forEach(cluster::put);
    candidate.policies().forEach(cluster::put);
  }

  Collection<NodeHealthCheck> checks() {
    return cluster.checks().values();
  }

  Collection<NodeFacts> nodes() {
    return cluster.nodes().values();
  }

  Instant now() {
    return cluster.now();
  }

  // --- What the tape says

  /** Moves time, and plans whenever something is due on the way. */
  void advanceTo(Instant moment) {
    for (Optional<Instant> due = due(moment); due.isPresent(); due = due(moment)) {
      cluster.advanceTo(due.get());
      settle();
    }
    cluster.advanceTo(moment);
  }

  private Optional<Instant> due(Instant before) {
    return next()
        .map(at -> at.isAfter(now()) ? at : now().plus(TICK)) // time goes on, whatever is asked for
        .filter(at -> at.isBefore(before));
  }

  private Optional<Instant> next() {
    Optional<Instant> planned = controller.nextWakeUp();
    Optional<Instant> change = cluster.nextChange();
    boolean sooner =
        change.isPresent() && (planned.isEmpty() || change.get().isBefore(planned.get()));
    return sooner ? change : planned;
  }

  void node(NodeFacts node, boolean helped) {
    news |= cluster.putSaysNews(node);
    spells.node(node, checks(), now(), helped);
  }

  void nodeGone(String node) {
    news = true;
    cluster.removeNode(node);
    spells.gone(node, now());
  }

  void helped(String node) {
    spells.helped(node);
  }

  void check(NodeHealthCheck check, Map<ObjectRef, TemplateLookup> templates) {
    news = true;
    templates.forEach(cluster::put);
    NodeHealthCheck before = cluster.checks().get(check.name());
    cluster.put(before == null ? check : check.withStatus(before.status()));
  }

  void checkGone(String check) {
    news = true;
    cluster.removeCheck(check);
    controller.forget(check);
    holds.observe(check, null, now());
  }

  /** One that was there before the tape begins, and whose NodeHealthCheck is in force. */
  void adopt(RecordedRemediation remediation) {
    news = true;
    cluster.put(remediation.observed());
    atOnce.begins(remediation.node());
  }

  /** TP-4: what a remediator said of its remediation it says of one like it. */
  void said(RecordedRemediation recorded) {
    for (ObservedRemediation other : List.copyOf(cluster.remediations())) {
      if (other.ref().kind().equals(recorded.ref().kind())
          && other.nodeName().equals(recorded.node())
          && other.succeeded() == Success.UNKNOWN) {
        news = true;
        cluster.put(other.withSucceeded(recorded.succeeded()));
      }
    }
  }

  /** Plans, once all lines of one moment have been taken. */
  void settleIfNews() {
    if (news || next().filter(at -> !at.isAfter(now())).isPresent()) {
      settle();
    }
  }

  Tally finish(Instant end) {
    advanceTo(end);
    settleIfNews();
    spells.finish(end);
    return tally(title, spells, givenUp, atOnce, holds.finish(end));
  }

  static Tally tally(
      String title, Spells spells, long givenUp, AtOnce atOnce, Map<String, Tally.Held> holds) {
    Map<Outcome, Long> outcomes = spells.outcomes();
    return new Tally(
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

  // --- What the planner does about it

  private void record(RemediationAction action) {
    switch (action) {
      case CreateRemediation(String node, RemediationDraft draft) -> {
        atOnce.begins(node);
        String check = draft.owners().isEmpty() ? "" : draft.owners().getFirst().name();
        String template = draft.annotations().getOrDefault(WireNames.TEMPLATE_NAME, "");
        spells.remediated(node, draft.kind(), check, now(), time(check, draft.kind(), template));
      }
      case DeleteRemediation(String node, _) -> atOnce.ends(node);
      case MarkTimedOut _ -> givenUp++;
      default -> {}
    }
  }

  /** TP-6: the time of the step that it was created for. */
  Duration time(String check, String kind, String template) {
    NodeHealthCheck owner = cluster.checks().get(check);
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
