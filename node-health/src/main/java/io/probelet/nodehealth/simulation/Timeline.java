package io.probelet.nodehealth.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The events and actions of a simulation.
 *
 * @param rows by time
 * @param spans the intervals, by start
 * @param holds the intervals in which nodes were held back, by start
 * @param turns when steps were given up, by time
 * @param outcome the final state, one line for each NodeHealthCheck
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
    /** A remediator. */
    REMEDIATOR,
    /** We. */
    PROBELET
  }

  /**
   * The same event for some nodes at one moment.
   *
   * @param nodes its nodes; none if it concerns all
   */
  public record Row(Duration at, Actor by, List<String> nodes, String what) {
    /** Keeps an unmodifiable copy of the names. */
    public Row {
      nodes = List.copyOf(nodes);
    }
  }

  /**
   * An interval.
   *
   * @param label the remediation's kind; empty for an unhealthy interval
   * @param to its end; the end of the simulation if it did not end
   */
  public record Span(String node, String label, Duration from, Duration to) {}

  /**
   * An interval in which nodes were held back.
   *
   * @param node the node; empty for all, as in a storm
   * @param reason in one word
   * @param to its end; the end of the simulation if it did not end
   */
  public record Hold(String node, String reason, String text, Duration from, Duration to) {}

  /**
   * One remediation was given up, so that the next template follows.
   *
   * @param failed whether its remediator reported failure; otherwise it timed out
   */
  public record Turn(String node, String label, Duration at, boolean failed) {}

  /** Collects rows, and merges equal events of several nodes. */
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
