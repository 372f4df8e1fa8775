package io.probelet.rehearsal.simulate;

import io.probelet.health.GoDuration;
import io.probelet.nodehealth.simulation.NodeNames;
import io.probelet.nodehealth.simulation.Timeline;
import io.probelet.nodehealth.simulation.Timeline.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints a timeline as a table. */
public final class TimelineTable {
  private static final int MAX_NODES_WIDTH = 40;
  private static final List<String> HEAD = List.of("AT", "BY", "NODES", "WHAT");

  private TimelineTable() {}

  /**
   * Prints a timeline.
   *
   * @return the lines, each with a line end
   */
  public static String print(Timeline timeline) {
    List<List<String>> table = new ArrayList<>();
    table.add(HEAD);
    for (Row row : timeline.rows()) {
      table.add(
          List.of(
              GoDuration.format(row.at()),
              row.by().name().toLowerCase(Locale.ROOT),
              nodes(row),
              row.what()));
    }
    int at = width(table, 0);
    int by = width(table, 1);
    int nodes = width(table, 2);
    StringBuilder text = new StringBuilder();
    for (List<String> row : table) {
      text.append(" ".repeat(at - row.get(0).length())).append(row.get(0));
      pad(text.append("  "), row.get(1), by);
      pad(text.append("  "), row.get(2), nodes);
      text.append("  ").append(row.get(3)).append('\n');
    }
    text.append('\n').append("after ").append(GoDuration.format(timeline.length())).append('\n');
    timeline.outcome().forEach(line -> text.append("  ").append(line).append('\n'));
    return text.toString();
  }

  private static String nodes(Row row) {
    String names = NodeNames.compress(row.nodes());
    return names.length() <= MAX_NODES_WIDTH ? names : row.nodes().size() + " nodes";
  }

  private static int width(List<List<String>> table, int column) {
    return table.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }

  private static void pad(StringBuilder text, String cell, int width) {
    text.append(cell).append(" ".repeat(width - cell.length()));
  }
}
