package io.probelet.agent.status;

import io.probelet.agent.api.NodeView.ConditionView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The node's conditions as rows of aligned columns. */
final class ConditionTable {
  private static final List<String> HEADER =
      List.of("NODE CONDITION", "STATUS", "REASON", "SINCE", "MESSAGE");
  private static final String GAP = "   ";

  private ConditionTable() {}

  /** Header and rows; {@code now} is the wall time, for how long ago the last change was. */
  static List<String> lines(List<ConditionView> conditions, Instant now) {
    List<List<String>> rows = new ArrayList<>(List.of(HEADER));
    for (ConditionView condition : conditions) {
      Duration age = Duration.between(Instant.parse(condition.lastTransitionTime()), now);
      rows.add(
          List.of(
              condition.type(),
              condition.status(),
              condition.reason(),
              StatusTable.ago(age),
              StatusTable.shortened(condition.message())));
    }
    return rows.stream().map(row -> line(row, rows)).toList();
  }

  private static String line(List<String> row, List<List<String>> all) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < row.size() - 1; column++) {
      int place = column;
      int width = all.stream().mapToInt(each -> each.get(place).length()).max().orElse(0);
      String cell = row.get(column);
      line.append(cell).append(" ".repeat(width - cell.length())).append(GAP);
    }
    return line.append(row.getLast()).toString().stripTrailing();
  }
}
