package io.probelet.simulation;

import io.probelet.simulation.Coverage.Topic;
import io.probelet.simulation.faults.FaultKind;
import io.probelet.simulation.rules.Rule;
import io.probelet.simulation.rules.RuleBook;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The sums over all seeds of a run. */
final class Totals {
  private static final String PREFIX = "=";

  private final Coverage coverage = new Coverage();
  private final Map<String, Long> sums = new TreeMap<>();

  Coverage coverage() {
    return coverage;
  }

  void add(Outcome outcome) {
    sum("seeds", 1);
    sum("virtual seconds", outcome.took().toSeconds());
    sum("faults", outcome.faults().size());
    sum("checks", outcome.checks().values().stream().mapToLong(each -> each).sum());
    sum("steps", outcome.steps());
    sum("trace lines", outcome.traceLines());
    sum("checksums", outcome.checksum());
    sum("failed", outcome.broken().isPresent() ? 1 : 0);
    outcome.broken().ifPresent(broken -> sum("failed: " + broken.rule(), 1));
  }

  private void sum(String name, long more) {
    sums.merge(name, more, Long::sum);
  }

  long failed() {
    return sums.getOrDefault("failed", 0L);
  }

  void partFailed() {
    sum("failed", 1);
  }

  /** {@return the sums, for the process above} */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    sums.forEach((name, sum) -> lines.add(PREFIX + "sum " + sum + " " + name));
    coverage.lines().forEach(line -> lines.add(PREFIX + "cover " + line));
    return lines;
  }

  /** {@return whether a line of a part is one of these; it is added then} */
  boolean read(String line) {
    if (line.startsWith(PREFIX + "sum ")) {
      String[] words = line.split(" ", 3);
      sum(words[2], Long.parseLong(words[1]));
      return true;
    }
    if (line.startsWith(PREFIX + "cover ")) {
      coverage.read(line.substring((PREFIX + "cover ").length()));
      return true;
    }
    return false;
  }

  void print(boolean withCoverage, PrintStream out) {
    out.printf(
        "%d seeds, %.1f virtual hours, %d faults, %d checks, %d steps, checksum %x; %d seeds broke a"
            + " rule%n",
        sums.getOrDefault("seeds", 0L),
        sums.getOrDefault("virtual seconds", 0L) / 3600.0,
        sums.getOrDefault("faults", 0L),
        sums.getOrDefault("checks", 0L),
        sums.getOrDefault("steps", 0L),
        sums.getOrDefault("checksums", 0L),
        failed());
    sums.forEach((name, sum) -> {
      if (name.startsWith("failed: ")) {
        out.printf("  %d × %s%n", sum, name.substring("failed: ".length()));
      }
    });
    if (withCoverage) {
      printCoverage(out);
    }
  }

  private void printCoverage(PrintStream out) {
    for (Topic topic : Topic.values()) {
      Map<String, Long> reached = coverage.of(topic);
      out.printf("%n%s reached: %d%n", topic.title(), reached.size());
      if (topic != Topic.PAIR) {
        reached.forEach((name, times) -> out.printf("  %10d %s%n", times, name));
      }
      List<String> never = new ArrayList<>(all(topic));
      never.removeAll(reached.keySet());
      if (!never.isEmpty()) {
        out.printf("%s never reached: %d%n", topic.title(), never.size());
        never.forEach(name -> out.printf("             %s%n", name));
      }
    }
  }

  /** What could be reached, as far as it is known. */
  private static List<String> all(Topic topic) {
    FaultKind[] kinds = FaultKind.values();
    List<String> all = new ArrayList<>();
    switch (topic) {
      case FAULT -> List.of(kinds).forEach(kind -> all.add(kind.label()));
      case PAIR -> {
        for (FaultKind one : kinds) {
          for (FaultKind other : kinds) {
            if (one.compareTo(other) <= 0) {
              all.add(Coverage.pair(one, other));
            }
          }
        }
      }
      case CHECK -> new RuleBook().rules().stream().map(Rule::name).forEach(all::add);
      case LINE -> all.addAll(LogTemplates.ofSources());
      case WRITE -> {}
    }
    return all;
  }
}
