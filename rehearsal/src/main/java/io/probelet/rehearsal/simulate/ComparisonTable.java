package io.probelet.rehearsal.simulate;

import io.probelet.nodehealth.rehearsal.Comparison;
import io.probelet.nodehealth.rehearsal.RehearsalTotals;
import java.util.List;

/** Prints a comparison as a table: a line for each figure, a column for each candidate. */
public final class ComparisonTable {
  private ComparisonTable() {}

  /**
   * Prints a comparison.
   *
   * @return the lines, each with a line end
   */
  public static String print(Comparison comparison) {
    StringBuilder text = new StringBuilder(ComparisonRows.head(comparison)).append("\n\n");
    text.append(table(ComparisonRows.figures(comparison), false));
    for (RehearsalTotals tally : comparison.columns()) {
      List<List<String>> remediations = ComparisonRows.remediations(tally);
      if (!remediations.isEmpty()) {
        text.append('\n').append(tally.title()).append('\n').append(table(remediations, true));
        long others = ComparisonRows.others(tally);
        if (others > 0) {
          text.append("and ").append(others).append(" more\n");
        }
      }
    }
    return text.toString();
  }

  /**
   * Aligns the first column left. The others are left-aligned in a list and right-aligned among
   * figures.
   */
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
