package io.probelet.cli.status;

import io.probelet.fleet.terminal.Colours;
import io.probelet.fleet.terminal.Table;
import io.probelet.web.api.NodeView.Source;
import java.util.List;

/** The monitors and checks that cannot run as the agent is installed, as a table. */
final class UnavailableTable {
  private static final String UNAVAILABLE = "unavailable";

  private UnavailableTable() {}

  /** The unavailable ones of an agent's sources. */
  static List<Source> of(List<Source> sources) {
    return sources.stream().filter(source -> UNAVAILABLE.equals(source.state())).toList();
  }

  /** Header and rows. */
  static List<String> lines(List<Source> unavailable, Colours colours, int columns) {
    Table table =
        new Table("NOT CHECKED", "REASON", "MESSAGE")
            .in(colours)
            .within(columns)
            .cutting("NOT CHECKED");
    for (Source source : unavailable) {
      table.add(List.of(source.name(), source.reason(), StatusTable.shortened(source.trouble())));
    }
    return table.lines();
  }
}
