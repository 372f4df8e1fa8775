package io.probelet.agent.simulate;

import io.probelet.health.GoDuration;
import io.probelet.nodehealth.rehearsal.Comparison;
import io.probelet.nodehealth.rehearsal.Tally;
import io.probelet.nodehealth.rehearsal.Tally.Held;
import io.probelet.nodehealth.rehearsal.Tally.Listed;
import io.probelet.nodehealth.rehearsal.Tally.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Prints a comparison as a table: a line for each figure, a column for each candidate. */
public final class ComparisonTable {
  /** So many remediations are shown of each column; JSON has more. */
  private static final int MAX_SHOWN = 20;

  private static final int MAX_TITLE = 24;

  private final Comparison comparison;
  private final List<List<String>> rows = new ArrayList<>();

  private ComparisonTable(Comparison comparison) {
    this.comparison = comparison;
  }

  /**
   * Prints a comparison.
   *
   * @param comparison what came of a rehearsal
   * @return lines, each with its end
   */
  public static String print(Comparison comparison) {
    return new ComparisonTable(comparison).print();
  }

  private String print() {
    StringBuilder text = new StringBuilder(head());
    row("", tally -> brief(tally.title()));
    row("remediations", tally -> Long.toString(tally.remediations()));
    row("nodes remediated", tally -> Integer.toString(tally.nodes()));
    row("given up", tally -> Long.toString(tally.givenUp()));
    row("most nodes at once", tally -> Integer.toString(tally.mostAtOnce()));
    for (Outcome outcome : Outcome.values()) {
      row("  " + words(outcome), tally -> Long.toString(tally.count(outcome)));
    }
    row("node-minutes unhealthy", tally -> minutes(tally.unhealthy()));
    row("  estimate", tally -> minutes(tally.estimate()));
    row("  saved, estimate", tally -> minutes(tally.saved()));
    Set<String> reasons = new TreeSet<>();
    comparison.columns().forEach(tally -> reasons.addAll(tally.holds().keySet()));
    for (String reason : reasons) {
      row("held back: " + reason, tally -> held(tally.holds().get(reason)));
    }
    text.append(table(rows, false));
    for (Tally tally : comparison.columns()) {
      list(text, tally);
    }
    return text.toString();
  }

  private String head() {
    Duration length = Duration.between(comparison.tape().start(), comparison.end());
    String cluster = comparison.tape().cluster();
    return "tape%s: %s to %s (%s), up to %d nodes, %d lines%s%n%n"
        .formatted(
            cluster.isEmpty() ? "" : " of " + cluster,
            comparison.tape().start(),
            comparison.end(),
            GoDuration.format(length),
            comparison.mostNodes(),
            comparison.lines(),
            comparison.unseen().isZero()
                ? ""
                : ", nothing seen for " + GoDuration.format(comparison.unseen()));
  }

  private void row(String name, Function<Tally, String> cell) {
    List<String> row = new ArrayList<>();
    row.add(name);
    comparison.columns().forEach(tally -> row.add(cell.apply(tally)));
    rows.add(row);
  }

  private static String words(Outcome outcome) {
    return switch (outcome) {
      case BY_ITSELF -> "recovered in time, by itself";
      case WITH_HELP -> "recovered in time, with help";
      case LATER -> "recovered later";
      case DELETED -> "node deleted";
      case NOT_OVER -> "not over at the end";
    };
  }

  private static String held(@Nullable Held held) {
    return held == null ? "0" : held.times() + "x, " + minutes(held.time()) + "min";
  }

  private static String minutes(Duration time) {
    return Long.toString(Math.round(time.toSeconds() / 60.0));
  }

  private static String brief(String title) {
    return title.length() <= MAX_TITLE ? title : title.substring(0, MAX_TITLE - 1) + "…";
  }

  private static void list(StringBuilder text, Tally tally) {
    if (tally.first().isEmpty()) {
      return;
    }
    text.append('\n').append(tally.title()).append('\n');
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("AT", "NODE", "REMEDIATION", "NHC", "NODE HEALTHY"));
    for (Listed one : tally.first().stream().limit(MAX_SHOWN).toList()) {
      rows.add(List.of(one.at().toString(), one.node(), one.kind(), one.check(), ending(one)));
    }
    text.append(table(rows, true));
    long others = tally.remediations() - Math.min(MAX_SHOWN, tally.first().size());
    if (others > 0) {
      text.append("and ").append(others).append(" more\n");
    }
  }

  private static String ending(Listed one) {
    Instant over = one.over();
    if (over == null) {
      return words(one.outcome());
    }
    return "after "
        + GoDuration.format(Duration.between(one.at(), over))
        + ": "
        + words(one.outcome());
  }

  /** The first column to the left; the others too in a list, to the right among figures. */
  private static String table(List<List<String>> rows, boolean left) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String space = " ".repeat(widths[i] - row.get(i).length());
        line.append(i == 0 ? "" : "  ");
        line.append(i == 0 || left ? row.get(i) + space : space + row.get(i));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
