package io.probelet.fleet;

import io.probelet.fleet.FleetContainers.Row;
import io.probelet.fleet.FleetContainers.Unanswered;
import io.probelet.fleet.terminal.Colours;
import io.probelet.fleet.terminal.Colours.Meaning;
import io.probelet.fleet.terminal.Table;
import io.probelet.fleet.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;

/** The unhealthy containers of a cluster's nodes as lines for people. */
final class ContainersTable {
  private static final int MAX_CAUSE = 240;
  private static final int MAX_UNANSWERED = 5;

  private ContainersTable() {}

  /** {@return the lines, of which none moves a terminal's cursor} */
  static List<String> lines(FleetContainers answer, Colours colours) {
    List<String> lines = new ArrayList<>(List.of("", answer.summary()));
    if (!answer.containers().isEmpty()) {
      Table table =
          new Table("NODE", "POD", "CONTAINER", "STATE", "RESTARTS", "CAUSE")
              .in(colours)
              .where("STATE", _ -> Meaning.BAD);
      for (Row row : answer.containers()) {
        table.add(
            List.of(
                row.node(),
                row.namespace() + "/" + row.pod(),
                row.container(),
                row.state(),
                Integer.toString(row.restartCount()),
                Terminal.line(row.cause(), MAX_CAUSE)));
      }
      lines.addAll(table.lines());
    }
    if (answer.more() > 0) {
      lines.add("and " + answer.more() + " more, all unhealthy");
    }
    answer.unanswered().stream().limit(MAX_UNANSWERED).forEach(each -> lines.add(line(each)));
    if (answer.unanswered().size() > MAX_UNANSWERED) {
      lines.add(
          "and %d more nodes gave no answer"
              .formatted(answer.unanswered().size() - MAX_UNANSWERED));
    }
    return lines;
  }

  private static String line(Unanswered each) {
    return Terminal.line("node " + each.node() + ": " + each.why(), MAX_CAUSE);
  }
}
