package io.probelet.nodehealth.simulation;

import io.probelet.health.GoDuration;
import io.probelet.nodehealth.remediation.HoldReason;
import io.probelet.nodehealth.remediation.ObservedRemediation;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.remediation.Plan;
import io.probelet.nodehealth.remediation.Plan.PlannerMemory;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition;
import io.probelet.nodehealth.simulation.Timeline.Actor;
import io.probelet.nodehealth.simulation.Timeline.Span;
import io.probelet.nodehealth.simulation.Timeline.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Records a simulation, and finds changes by comparison. */
final class TimelineWriter {
  private final VirtualCluster cluster;
  private final VirtualController controller;
  private final Instant start;
  private final Timeline.Recorder recorder = new Timeline.Recorder();
  private final Map<String, String> shownDisabled = new HashMap<>();
  private final Map<String, Map<String, HoldReason>> shownHolds = new HashMap<>();
  private final Map<SpanKey, Instant> open = new TreeMap<>(SpanKey.ORDER);
  private final List<Span> spans = new ArrayList<>();
  private final HoldIntervals holds = new HoldIntervals();
  private final List<Turn> turns = new ArrayList<>();

  private record SpanKey(String node, String label, String uid) {
    static final Comparator<SpanKey> ORDER =
        Comparator.comparing(SpanKey::node)
            .thenComparing(SpanKey::label)
            .thenComparing(SpanKey::uid);
  }

  TimelineWriter(VirtualCluster cluster, VirtualController controller, Instant start) {
    this.cluster = cluster;
    this.controller = controller;
    this.start = start;
  }

  /** Adds an event at the current time. */
  void add(Actor by, List<String> nodes, String what) {
    recorder.add(sinceStart(), by, nodes, what);
  }

  /** A remediation is given up at the current time. */
  void turnOver(String node, ObservedRemediation remediation) {
    boolean failed = remediation.succeeded() == Success.NO;
    turns.add(new Turn(node, remediation.ref().kind(), sinceStart(), failed));
  }

  /**
   * Adds differences from the last time: disabled NodeHealthChecks, hold reasons, ended
   * remediations.
   */
  void observe() {
    showDisabled();
    showHolds();
    showSpans();
  }

  /** The timeline up to now. */
  Timeline finish(List<String> outcome) {
    open.forEach((key, from) -> spans.add(span(key, from)));
    spans.sort(
        Comparator.comparing(Span::from).thenComparing(Span::node).thenComparing(Span::label));
    Duration length = sinceStart();
    return new Timeline(recorder.rows(), spans, holds.finish(length), turns, length, outcome);
  }

  private Duration sinceStart() {
    return Duration.between(start, cluster.now());
  }

  /** The time since the beginning. */
  String elapsed(Instant moment) {
    return GoDuration.format(Duration.between(start, moment));
  }

  private void showDisabled() {
    cluster
        .checks()
        .forEach((name, check) -> {
          String now =
              check
                  .status()
                  .condition(StatusCondition.DISABLED)
                  .filter(StatusCondition::active)
                  .map(disabled -> "disabled: " + disabled.reason() + ": " + disabled.message())
                  .orElse("");
          if (!now.equals(shownDisabled.put(name, now)) && !now.isEmpty()) {
            add(Actor.PROBELET, List.of(), now);
          }
        });
  }

  private void showHolds() {
    for (String check : cluster.checks().keySet()) {
      PlannerMemory memory = controller.lastPlan(check).map(Plan::memory).orElseThrow();
      Map<String, HoldReason> now = new TreeMap<>(memory.nodes());
      Map<String, HoldReason> before = shownHolds.getOrDefault(check, Map.of());
      now.forEach((node, hold) -> {
        HoldReason old = before.get(node);
        if (old == null || !old.isSameNewsAs(hold)) {
          add(Actor.PROBELET, List.of(node), "waiting: " + text(hold));
        }
      });
      shownHolds.put(check, now);
      Map<String, HoldReason> all = new TreeMap<>(now);
      if (memory.fleet() != null) {
        all.put("", memory.fleet());
      }
      holds.observe(check, all, this::text, sinceStart());
    }
  }

  /** Moments are shown as the time since the start, like all other times here. */
  private String text(HoldReason hold) {
    return switch (hold) {
      case HoldReason.StormCooldown(Instant until) ->
          "storm recovery: cooldown until " + elapsed(until);
      case HoldReason.LeaseHeld(String holder, _) -> "the node's lease is held by " + holder;
      case HoldReason.InMaintenance(String maintenance, _, Instant until) ->
          "in maintenance until %s: Maintenance %s".formatted(elapsed(until), maintenance);
      default -> hold.message();
    };
  }

  private void showSpans() {
    Map<SpanKey, Instant> now = new TreeMap<>(SpanKey.ORDER);
    for (String check : cluster.checks().keySet()) {
      cluster
          .view(check)
          .census()
          .unhealthy()
          .keySet()
          .forEach(node -> now.put(new SpanKey(node, "", ""), cluster.now()));
    }
    for (ObservedRemediation remediation : cluster.remediations()) {
      now.put(
          new SpanKey(remediation.nodeName(), remediation.ref().kind(), remediation.uid()),
          remediation.created());
    }
    for (SpanKey key : List.copyOf(open.keySet())) {
      if (!now.containsKey(key)) {
        spans.add(span(key, Optional.ofNullable(open.remove(key)).orElseThrow()));
      }
    }
    now.forEach(open::putIfAbsent);
  }

  private Span span(SpanKey key, Instant from) {
    return new Span(
        key.node(),
        key.label(),
        Duration.between(start, from),
        Duration.between(start, cluster.now()));
  }
}
