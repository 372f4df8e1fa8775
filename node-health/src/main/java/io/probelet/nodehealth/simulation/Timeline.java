package io.probelet.nodehealth.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What happened in a simulation.
 *
 * @param rows in the order of time
 * @param spans what lasted, in the order of beginnings
 * @param holds what was waited for, in the order of beginnings
 * @param turns where one remediation's turn was over, in the order of time
 * @param outcome how it ended, one line for each NodeHealthCheck
 */
public record Timeline(
    List<Row> rows,
    List<Span> spans,
    List<Hold> holds,
    List<Turn> turns,
    Duration length,
    List<String> outcome) {
  /** Keeps unmodifiable copies of the lists. */
  public Timeline {
    rows = List.copyOf(rows);
    spans = List.copyOf(spans);
    holds = List.copyOf(holds);
    turns = List.copyOf(turns);
    outcome = List.copyOf(outcome);
  }

  /** Who did it. */
  public enum Actor {
    /** The scenario. */
    CLUSTER,
    /** Somebody who reacts to remediations. */
    REMEDIATOR,
    /** We. */
    PROBELET
  }

  /**
   * The same thing happening to some nodes at one moment.
   *
   * @param nodes to which nodes; none if it is about all
   */
  public record Row(Duration at, Actor by, List<String> nodes, String what) {
    /** Keeps an unmodifiable copy of the names. */
    public Row {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * Something that lasted.
   *
   * @param label the remediation's kind; empty for being unhealthy
   * @param to until when; the end of the simulation if it was not over
   */
  public record Span(String node, String label, Duration from, Duration to) {}

  /**
   * Something that was waited for.
   *
   * @param node which node waited; empty if all did, as in a storm
   * @param reason one word for it
   * @param to until when; the end of the simulation if it was not over
   */
  public record Hold(String node, String reason, String text, Duration from, Duration to) {}

  /**
   * The turn of one remediation is over, so that the next template's comes.
   *
   * @param failed whether its remediator said so; else its time was over
   */
  public record Turn(String node, String label, Duration at, boolean failed) {}

  /** Collects rows, and puts together what happens to several nodes at once. */
  static final class Recorder {
    private record Key(Duration at, Actor by, String what) {}

    private final Map<Key, Set<String>> rows = new LinkedHashMap<>();

    void add(Duration at, Actor by, List<String> nodes, String what) {
      rows.computeIfAbsent(new Key(at, by, what), _ -> new LinkedHashSet<>()).addAll(nodes);
    }

    List<Row> rows() {
      List<Row> all = new ArrayList<>();
      rows.forEach(
          (key, nodes) -> all.add(new Row(key.at(), key.by(), List.copyOf(nodes), key.what())));
      return all;
    }
  }
}
