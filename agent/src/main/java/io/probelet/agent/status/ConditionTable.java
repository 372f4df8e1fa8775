package io.probelet.agent.status;

import io.probelet.agent.api.NodeView.ConditionView;
import io.probelet.agent.console.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The node's conditions as rows of aligned columns. */
final class ConditionTable {
  private ConditionTable() {}

  /** Header and rows; {@code now} is the wall time, for how long ago the last change was. */
  static List<String> lines(List<ConditionView> conditions, Instant now) {
    Table table = new Table("NODE CONDITION", "STATUS", "REASON", "SINCE", "MESSAGE");
    for (ConditionView condition : conditions) {
      Duration age = Duration.between(Instant.parse(condition.lastTransitionTime()), now);
      table.add(
          List.of(
              condition.type(),
              condition.status(),
              condition.reason(),
              StatusTable.ago(age),
              StatusTable.shortened(condition.message())));
    }
    return table.lines();
  }
}
