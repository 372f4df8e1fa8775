package io.probelet.cli.status;

import io.probelet.fleet.terminal.Colours;
import io.probelet.fleet.terminal.Table;
import io.probelet.web.api.NodeView.Source;
import java.util.List;

/** What an agent cannot observe of its node as it is installed, as rows of aligned columns. */
final class UnavailableTable {
  private static final String UNAVAILABLE = "unavailable";

  private UnavailableTable() {}

  /** Those of an agent's sources that belong in here. */
  static List<Source> of(List<Source> sources) {
    return sources.stream().filter(source -> UNAVAILABLE.equals(source.state())).toList();
  }

  /** Header and rows. */
  static List<String> lines(List<Source> unavailable, Colours colours) {
    Table table = new Table("NOT CHECKED", "REASON", "MESSAGE").in(colours);
    for (Source source : unavailable) {
      table.add(List.of(source.name(), source.reason(), StatusTable.shortened(source.trouble())));
    }
    return table.lines();
  }
}
