package io.probelet.rehearsal.simulate;

import io.probelet.health.ShortText;
import io.probelet.nodehealth.simulation.NodeNames;
import io.probelet.nodehealth.simulation.Timeline;
import io.probelet.nodehealth.simulation.Timeline.Hold;
import io.probelet.nodehealth.simulation.Timeline.Span;
import io.probelet.nodehealth.simulation.Timeline.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The lanes of a drawing: one for all nodes with the same history. If there are too many, those
 * stay that were unhealthy for longest.
 *
 * @param lanes in the order of their first nodes' names
 * @param hidden the number of lanes that are not drawn
 */
record TimelineLanes(List<Lane> lanes, int hidden) {
  /** Maximum number of lanes. */
  static final int MAX_LANES = 60;

  /** Maximum number of elements of each kind in a lane. */
  static final int MAX_BARS = 100;

  private static final int MAX_NAME = 34;

  /** The content of a lane, without its nodes. */
  private record Fate(List<Span> spans, List<Hold> holds, List<Turn> turns) {
    Fate() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }
  }

  /**
   * A lane.
   *
   * @param spans the intervals on each of its nodes
   * @param holds what each of them waited for
   * @param turns when a step was given up on each of them
   */
  record Lane(String name, int nodes, List<Span> spans, List<Hold> holds, List<Turn> turns) {
    /** The kinds of the remediations in the order of their steps. */
    List<String> kinds() {
      Set<String> kinds = new LinkedHashSet<>();
      spans.stream()
          .filter(span -> !span.label().isEmpty())
          .sorted(Comparator.comparing(Span::from))
          .forEach(span -> kinds.add(span.label()));
      return List.copyOf(kinds);
    }

    private Duration unhealthy() {
      return spans.stream()
          .filter(span -> span.label().isEmpty())
          .map(span -> span.to().minus(span.from()))
          .reduce(Duration.ZERO, Duration::plus);
    }

    boolean isCut() {
      return Stream.of(spans, holds, turns).anyMatch(list -> list.size() > MAX_BARS);
    }
  }

  static TimelineLanes of(Timeline timeline) {
    Map<String, Fate> byNode = new TreeMap<>();
    for (Span span : timeline.spans()) {
      fate(byNode, span.node()).spans().add(new Span("", span.label(), span.from(), span.to()));
    }
    for (Hold hold : timeline.holds()) {
      if (!hold.node().isEmpty()) {
        Hold nameless = new Hold("", hold.reason(), hold.text(), hold.from(), hold.to());
        fate(byNode, hold.node()).holds().add(nameless);
      }
    }
    for (Turn turn : timeline.turns()) {
      fate(byNode, turn.node()).turns().add(new Turn("", turn.label(), turn.at(), turn.failed()));
    }
    Map<Fate, List<String>> alike = new LinkedHashMap<>();
    byNode.forEach((node, fate) -> alike.computeIfAbsent(fate, _ -> new ArrayList<>()).add(node));
    List<Lane> all = new ArrayList<>();
    alike.forEach((fate, nodes) ->
        all.add(new Lane(name(nodes), nodes.size(), fate.spans(), fate.holds(), fate.turns())));
    Set<Lane> worst =
        Set.copyOf(
            all.stream()
                .sorted(Comparator.comparing(Lane::unhealthy).reversed())
                .limit(MAX_LANES)
                .toList());
    return new TimelineLanes(
        all.stream().filter(worst::contains).toList(), all.size() - worst.size());
  }

  private static Fate fate(Map<String, Fate> byNode, String node) {
    return byNode.computeIfAbsent(node, _ -> new Fate());
  }

  private static String name(List<String> nodes) {
    String name = NodeNames.compress(nodes);
    if (name.length() <= MAX_NAME) {
      return name;
    }
    return ShortText.of(
        nodes.size() > 1 ? "%d nodes: %s".formatted(nodes.size(), name) : name, MAX_NAME);
  }
}
