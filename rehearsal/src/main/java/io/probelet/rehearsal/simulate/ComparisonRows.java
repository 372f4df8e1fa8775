package io.probelet.rehearsal.simulate;

import io.probelet.health.GoDuration;
import io.probelet.health.ShortText;
import io.probelet.nodehealth.rehearsal.Comparison;
import io.probelet.nodehealth.rehearsal.RehearsalTotals;
import io.probelet.nodehealth.rehearsal.RehearsalTotals.Held;
import io.probelet.nodehealth.rehearsal.RehearsalTotals.Listed;
import io.probelet.nodehealth.rehearsal.RehearsalTotals.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A comparison as text and figures, for a terminal and a page. */
public final class ComparisonRows {
  /** Number of remediations shown per column; JSON has all. */
  private static final int MAX_SHOWN = 20;

  private static final int MAX_TITLE = 24;

  private ComparisonRows() {}

  /** Describes the tape in one line. */
  public static String head(Comparison comparison) {
    Duration length = Duration.between(comparison.tape().start(), comparison.end());
    String cluster = comparison.tape().cluster();
    return "tape%s: %s to %s (%s), up to %d nodes, %d lines%s"
        .formatted(
            cluster.isEmpty() ? "" : " of " + cluster,
            comparison.tape().start(),
            comparison.end(),
            GoDuration.format(length),
            comparison.mostNodes(),
            comparison.lines(),
            comparison.unseen().isZero()
                ? ""
                : ", no data for " + GoDuration.format(comparison.unseen()));
  }

  /**
   * Returns the figures as rows.
   *
   * @return the column titles, then a row per figure: its name, and a cell per column; the name of
   *     a detail of the row above begins with blanks
   */
  public static List<List<String>> figures(Comparison comparison) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(row(comparison, "", tally -> brief(tally.title())));
    rows.add(row(comparison, "remediations", tally -> Long.toString(tally.remediations())));
    rows.add(row(comparison, "nodes remediated", tally -> Integer.toString(tally.nodes())));
    rows.add(row(comparison, "given up", tally -> Long.toString(tally.givenUp())));
    rows.add(row(comparison, "most nodes at once", tally -> Integer.toString(tally.mostAtOnce())));
    for (Outcome outcome : Outcome.values()) {
      rows.add(
          row(comparison, "  " + words(outcome), tally -> Long.toString(tally.count(outcome))));
    }
    rows.add(row(comparison, "node-minutes unhealthy", tally -> minutes(tally.unhealthy())));
    rows.add(row(comparison, "  estimate", tally -> minutes(tally.estimate())));
    rows.add(row(comparison, "  saved, estimate", tally -> minutes(tally.saved())));
    Set<String> reasons = new TreeSet<>();
    comparison.columns().forEach(tally -> reasons.addAll(tally.holds().keySet()));
    for (String reason : reasons) {
      rows.add(row(comparison, "held back: " + reason, tally -> held(tally.holds().get(reason))));
    }
    return rows;
  }

  /**
   * Returns the first remediations of each column as rows.
   *
   * @return the titles, then one row per remediation; empty if there are none
   */
  public static List<List<String>> remediations(RehearsalTotals tally) {
    if (tally.first().isEmpty()) {
      return List.of();
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("AT", "NODE", "REMEDIATION", "NHC", "NODE HEALTHY"));
    for (Listed one : tally.first().stream().limit(MAX_SHOWN).toList()) {
      rows.add(List.of(one.at().toString(), one.node(), one.kind(), one.check(), ending(one)));
    }
    return rows;
  }

  /** {@return the number of remediations that {@link #remediations} omits} */
  public static long others(RehearsalTotals tally) {
    return tally.remediations() - Math.min(MAX_SHOWN, tally.first().size());
  }

  private static List<String> row(
      Comparison comparison, String name, Function<RehearsalTotals, String> cell) {
    List<String> row = new ArrayList<>();
    row.add(name);
    comparison.columns().forEach(tally -> row.add(cell.apply(tally)));
    return row;
  }

  private static String words(Outcome outcome) {
    return switch (outcome) {
      case BY_ITSELF -> "recovered in time, by itself";
      case WITH_HELP -> "recovered in time, with help";
      case LATER -> "recovered later";
      case DELETED -> "node deleted";
      case NOT_OVER -> "unfinished at the end";
    };
  }

  private static String held(@Nullable Held held) {
    return held == null ? "0" : held.times() + "x, " + minutes(held.time()) + "min";
  }

  private static String minutes(Duration time) {
    return Long.toString(Math.round(time.toSeconds() / 60.0));
  }

  private static String brief(String title) {
    return ShortText.of(title, MAX_TITLE);
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
}
