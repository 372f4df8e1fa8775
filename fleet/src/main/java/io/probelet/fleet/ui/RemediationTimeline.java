package io.probelet.fleet.ui;

import io.probelet.fleet.FleetNode;
import io.probelet.fleet.FleetRemediation;
import io.probelet.fleet.FleetView;
import io.probelet.fleet.FleetWait;
import io.probelet.nodehealth.simulation.Timeline;
import io.probelet.nodehealth.simulation.Timeline.Hold;
import io.probelet.nodehealth.simulation.Timeline.Span;
import io.probelet.nodehealth.simulation.Timeline.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cluster's remediations as a timeline up to now, to be drawn like a simulation's. What is known
 * is when something began; what waits is taken to have waited since its node's last step was over,
 * or since the node is unhealthy.
 */
final class RemediationTimeline {
  private static final Duration MAX_LENGTH = Duration.ofHours(24);
  private static final Duration MIN_LENGTH = Duration.ofMinutes(1);

  private final FleetView view;
  private final Instant begin;
  private final List<Span> spans = new ArrayList<>();
  private final List<Hold> holds = new ArrayList<>();
  private final List<Turn> turns = new ArrayList<>();
  private final Map<String, Instant> free = new HashMap<>();

  private RemediationTimeline(FleetView view, Instant begin) {
    this.view = view;
    this.begin = begin;
  }

  /** Makes the timeline: at most one day, from when the first of what is not over began. */
  static Timeline of(FleetView view) {
    Instant begin = view.time().minus(MIN_LENGTH);
    for (FleetNode node : view.nodes()) {
      begin = isUnhealthy(node) ? earlier(begin, node.since()) : begin;
    }
    for (FleetRemediation remediation : view.remediations()) {
      begin = earlier(begin, remediation.started());
    }
    Instant limit = view.time().minus(MAX_LENGTH);
    return new RemediationTimeline(view, begin.isBefore(limit) ? limit : begin).make();
  }

  private static Instant earlier(Instant one, @Nullable Instant other) {
    return other != null && other.isBefore(one) ? other : one;
  }

  private static boolean isUnhealthy(FleetNode node) {
    return switch (node.state()) {
      case WAITING, UNHEALTHY, REMEDIATING -> true;
      case SOON, PROBLEM, UNREPORTED, HEALTHY -> false;
    };
  }

  private Timeline make() {
    Duration now = at(view.time());
    for (FleetNode node : view.nodes()) {
      Instant since = node.since();
      if (isUnhealthy(node) && since != null) {
        spans.add(new Span(node.name(), "", at(since), now));
        free.put(node.name(), since);
      }
    }
    // Newest first in the view: each ends at the latest where the one after it began.
    Map<String, Instant> after = new HashMap<>();
    for (FleetRemediation each : view.remediations()) {
      Instant next = after.getOrDefault(each.node(), view.time());
      Instant end = earlier(next, each.timedOut());
      spans.add(new Span(each.node(), each.kind(), at(each.started()), at(end)));
      if (each.timedOut() != null) {
        turns.add(new Turn(each.node(), each.kind(), at(each.timedOut()), false));
      } else if (each.state() == FleetRemediation.State.FAILED) {
        turns.add(new Turn(each.node(), each.kind(), at(end), true));
      }
      if (!after.containsKey(each.node())) {
        free.put(each.node(), each.timedOut() == null ? each.started() : each.timedOut());
      }
      after.put(each.node(), each.started());
    }
    for (FleetWait wait : view.waits()) {
      Duration from = wait.node().isEmpty() ? at(begin) : at(free.getOrDefault(wait.node(), begin));
      holds.add(new Hold(wait.node(), wait.reason(), FleetWords.brief(wait.why()), from, now));
    }
    return new Timeline(List.of(), spans, holds, turns, now, List.of());
  }

  /** Within the timeline, whatever clocks say. */
  private Duration at(Instant time) {
    Instant end = view.time();
    Instant within = time.isBefore(begin) ? begin : time.isAfter(end) ? end : time;
    return Duration.between(begin, within);
  }
}
