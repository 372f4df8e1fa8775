package io.probelet.cli.status;

import io.probelet.fleet.terminal.Colours;
import io.probelet.fleet.terminal.Colours.Meaning;
import io.probelet.fleet.terminal.Table;
import io.probelet.web.api.NodeView.ConditionView;
import io.probelet.web.api.Severity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The node's conditions as rows of aligned columns. */
final class ConditionTable {
  private ConditionTable() {}

  /**
   * Header and rows, the worst first; {@code now} is the wall time, for the time since the last
   * change.
   */
  static List<String> lines(
      List<ConditionView> conditions, Instant now, Colours colours, int columns) {
    Table table =
        new Table("NODE CONDITION", "STATUS", "REASON", "SINCE", "MESSAGE")
            .in(colours)
            .within(columns)
            .cutting("REASON")
            .atLastWithout("SINCE", "REASON")
            .where("STATUS", ConditionTable::ofStatus);
    for (ConditionView condition : Severity.worstFirst(conditions, ConditionView::severity)) {
      Duration age = Duration.between(Instant.parse(condition.lastTransitionTime()), now);
      table.add(
          List.of(
              condition.type(),
              condition.status(),
              condition.reason(),
              StatusTable.ago(age) + often(condition),
              StatusTable.shortened(condition.message())));
    }
    return table.lines();
  }

  private static String often(ConditionView condition) {
    return condition.changesOften()
        ? ", %d changes in 1h".formatted(condition.changesLastHour())
        : "";
  }

  /** A node condition is True while the node has the problem. */
  private static Meaning ofStatus(String status) {
    return switch (status) {
      case "True" -> Meaning.BAD;
      case "False" -> Meaning.GOOD;
      default -> Meaning.WARNING;
    };
  }
}
