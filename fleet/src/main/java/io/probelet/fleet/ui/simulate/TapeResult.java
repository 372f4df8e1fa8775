package io.probelet.fleet.ui.simulate;

import io.probelet.health.ShortText;
import io.probelet.nodehealth.rehearsal.Comparison;
import io.probelet.nodehealth.rehearsal.RehearsalTotals;
import io.probelet.rehearsal.simulate.ComparisonRows;
import io.probelet.web.page.Html;
import io.probelet.web.page.PageTable;
import java.util.List;

/** What came of a tape: the figures side by side, and each column's first remediations. */
final class TapeResult {
  /** A tape's NodeHealthCheck may have a field of any length that is wrong. */
  private static final int MAX_TEXT = 400;

  private TapeResult() {}

  static Html of(String check, Comparison comparison) {
    Html result = new Html();
    result.element("p", brief(ComparisonRows.head(comparison)));
    result.element(
        "p",
        ("Recorded and in force come from the tape. As it is and changed are NodeHealthCheck %s"
                + " of the cluster alone, for the nodes on the tape that its selector matches."
                + " RemediationPolicies are ignored; all templates are assumed to exist.")
            .formatted(check),
        "class",
        "quiet");
    if (!comparison.complete()) {
      remark(result, "The tape has no end line; it was played to its last line.");
    }
    comparison.remarks().forEach(each -> remark(result, each));
    figures(result, ComparisonRows.figures(comparison));
    comparison.columns().forEach(tally -> remediations(result, tally));
    return result;
  }

  private static void remark(Html result, String text) {
    result.open("p").element("strong", "Warning: ").text(brief(text)).close("p");
  }

  private static void figures(Html result, List<List<String>> rows) {
    String[] columns = rows.getFirst().toArray(String[]::new);
    columns[0] = "Figure";
    PageTable table = new PageTable("Results", columns);
    rows.stream().skip(1).map(row -> row.stream().map(String::strip).toList()).forEach(table::row);
    result.add(table.html());
  }

  private static void remediations(Html result, RehearsalTotals tally) {
    List<List<String>> rows = ComparisonRows.remediations(tally);
    if (rows.isEmpty()) {
      return;
    }
    result.open("details").element("summary", tally.title() + ", its first remediations");
    PageTable table =
        new PageTable(
            "Remediated nodes and their outcome",
            "At",
            "Node",
            "Remediation",
            "NodeHealthCheck",
            "Node healthy");
    for (List<String> row : rows.subList(1, rows.size())) {
      table.rows().open("tr");
      row.forEach(cell -> table.rows().element("td", brief(cell)));
      table.rows().close("tr");
    }
    result.add(table.html());
    long others = ComparisonRows.others(tally);
    if (others > 0) {
      result.element("p", "and %d more".formatted(others));
    }
    result.close("details");
  }

  static String brief(String text) {
    return ShortText.of(text, MAX_TEXT);
  }
}
