package io.probelet.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** All figures of {@code benchmarks/run all} as one page of Markdown. */
final class FiguresPage {
  /** Longer errors of a failed build would hide the figures. */
  private static final int MAX_OUTPUT_LINES = 40;

  private FiguresPage() {}

  /**
   * The result of one part.
   *
   * @param failure the error, empty if it succeeded
   */
  record Outcome(SuitePart part, String output, String failure, double seconds) {}

  /**
   * {@return the page}
   *
   * @param facts facts about the machine and the run, one per line
   */
  static String of(List<String> facts, List<Outcome> outcomes) {
    List<String> lines = new ArrayList<>(List.of("# Figures of Probelet", ""));
    facts.forEach(fact -> lines.add("- " + fact));
    lines.addAll(List.of("", "| figure | goal | measured | | command |", "|---|---|---|---|---|"));
    for (Outcome outcome : outcomes) {
      for (Goal goal : outcome.part().goals()) {
        Goal.Found found = goal.in(outcome.output());
        lines.add(
            "| %s | %s | %s | %s | `%s` |"
                .formatted(
                    goal.what(),
                    goal.limitText(),
                    cell(found.text()),
                    found.verdict(),
                    outcome.part().command()));
      }
    }
    List<Outcome> failed = outcomes.stream().filter(one -> !one.failure().isEmpty()).toList();
    if (!failed.isEmpty()) {
      lines.addAll(List.of("", "Failed:", ""));
      failed.forEach(one -> lines.add("- `%s`: %s".formatted(one.part().command(), one.failure())));
    }
    for (Outcome outcome : outcomes) {
      lines.addAll(
          List.of(
              "", "## %s (%.0f s)".formatted(outcome.part().name(), outcome.seconds()), "", "```"));
      List<String> printed = outcome.output().lines().toList();
      int omitted = Math.max(0, printed.size() - MAX_OUTPUT_LINES);
      if (omitted > 0) {
        lines.add("(%d lines before)".formatted(omitted));
      }
      printed.stream().skip(omitted).forEach(lines::add);
      lines.add("```");
    }
    return String.join("\n", lines) + "\n";
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }
}
