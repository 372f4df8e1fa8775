package io.probelet.simulation;

import io.probelet.simulation.faults.Fault;
import io.probelet.simulation.faults.FaultKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What was reached, and how often: faults and their pairs, checks of rules, and effects. */
final class Coverage {
  private final Map<Topic, Map<String, Long>> counts = new EnumMap<>(Topic.class);

  /** What is counted; each has names of its own. */
  enum Topic {
    /** A fault that was injected. */
    FAULT("faults"),
    /** Two kinds of faults that were in force at the same time. */
    PAIR("pairs of faults at the same time"),
    /** A check of a rule. */
    CHECK("checks of rules"),
    /** A kind of write that took effect. */
    WRITE("kinds of writes"),
    /** A line of a log, by its template. */
    LINE("lines of logs");

    private final String title;

    Topic(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }

  void count(Topic topic, String name) {
    count(topic, name, 1);
  }

  void count(Topic topic, String name, long times) {
    counts.computeIfAbsent(topic, _ -> new HashMap<>()).merge(name, times, Long::sum);
  }

  /** Counts faults that were injected, and those that were in force at the same time. */
  void faults(List<Fault> faults) {
    for (int index = 0; index < faults.size(); index++) {
      Fault fault = faults.get(index);
      count(Topic.FAULT, fault.kind().label());
      for (Fault other : faults.subList(0, index)) {
        if (other.at().compareTo(fault.end()) <= 0 && fault.at().compareTo(other.end()) <= 0) {
          count(Topic.PAIR, pair(fault.kind(), other.kind()));
        }
      }
    }
  }

  static String pair(FaultKind one, FaultKind other) {
    return one.compareTo(other) <= 0
        ? one.label() + "+" + other.label()
        : other.label() + "+" + one.label();
  }

  /** {@return how often each thing of a topic was reached} */
  Map<String, Long> of(Topic topic) {
    return new TreeMap<>(counts.getOrDefault(topic, Map.of()));
  }

  /** {@return one line for each count, to be read by {@link #read}} */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Topic topic : counts.keySet()) {
      of(topic).forEach((name, times) -> lines.add(times + " " + topic + " " + name));
    }
    return lines;
  }

  /** Adds the counts of lines. */
  void read(String line) {
    String[] words = line.split(" ", 3);
    count(Topic.valueOf(words[1]), words[2], Long.parseLong(words[0]));
  }
}
