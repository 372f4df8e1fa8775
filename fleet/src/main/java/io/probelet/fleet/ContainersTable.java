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

  /** Rows of a first look, which leaves room for the cluster. */
  private static final int SOME_ROWS = 20;

  private ContainersTable() {}

  /**
   * {@return the lines, of which none moves a terminal's cursor}
   *
   * @param all whether all rows are shown; else the first 20
   */
  static List<String> lines(FleetContainers answer, boolean all, Colours colours) {
    List<String> lines = new ArrayList<>(List.of("", answer.summary()));
    int found = answer.containers().size();
    int shown = all ? found : Math.min(SOME_ROWS, found);
    if (shown > 0) {
      Table table =
          new Table("NODE", "POD", "CONTAINER", "STATE", "RESTARTS", "CAUSE")
              .in(colours)
              .where("STATE", _ -> Meaning.BAD);
      for (Row row : answer.containers().subList(0, shown)) {
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
    int more = found - shown + answer.more();
    if (more > 0) {
      lines.add("and " + more + " more, all unhealthy" + (all ? "" : "; --containers lists them"));
    }
    int unanswered = answer.unanswered().size();
    if (unanswered > 0) {
      lines.add("no answer from %d of %d nodes:".formatted(unanswered, answer.asked()));
      answer.unanswered().stream().limit(MAX_UNANSWERED).forEach(each -> lines.add(line(each)));
    }
    if (unanswered > MAX_UNANSWERED) {
      lines.add("  and %d more".formatted(unanswered - MAX_UNANSWERED));
    }
    return lines;
  }

  private static String line(Unanswered each) {
    return "  " + Terminal.line("node " + each.node() + ": " + each.why(), MAX_CAUSE);
  }
}
