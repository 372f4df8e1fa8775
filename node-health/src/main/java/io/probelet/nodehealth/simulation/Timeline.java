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
 * @param length how long the simulation ran
 * @param outcome how it ended, one line for each NodeHealthCheck
 */
public record Timeline(List<Row> rows, List<Span> spans, Duration length, List<String> outcome) {
  /** Keeps unmodifiable copies of the lists. */
  public Timeline {
    rows = List.copyOf(rows);
    spans = List.copyOf(spans);
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
   * @param at when, from the beginning
   * @param by who did it
   * @param nodes to which nodes; none if it is about all
   * @param what in a few words
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
   * @param node on which node
   * @param label the remediation's kind; empty for being unhealthy
   * @param from since when
   * @param to until when; the end of the simulation if it was not over
   */
  public record Span(String node, String label, Duration from, Duration to) {}

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
