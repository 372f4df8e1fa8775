package io.probelet.agent.remediation;

import io.probelet.agent.remediation.RemediationView.CheckView;
import io.probelet.agent.remediation.RemediationView.NodeView;
import io.probelet.agent.remediation.RemediationView.StartedView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The report as a table: a line for each NodeHealthCheck, and one for each node it is about. */
final class RemediationTable {
  private static final List<String> HEADER =
      List.of("NODEHEALTHCHECK", "NODE", "CONDITION", "REMEDIATION", "WHY NOT");
  private static final String GAP = "   ";

  private RemediationTable() {}

  static List<String> lines(RemediationView view) {
    if (!view.leading()) {
      return List.of(
          view.leader() == null
              ? "This agent is on standby, and no leader is known yet."
              : "This agent is on standby; ask the leader, " + view.leader() + ".");
    }
    List<String> lines = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    for (CheckView check : view.nodeHealthChecks()) {
      lines.add(
          "%s: %s, %d of %d nodes healthy (%s)"
              .formatted(
                  check.name(),
                  check.phase(),
                  check.healthyNodes(),
                  check.observedNodes(),
                  check.reason()));
      check.unhealthyNodes().forEach(node -> rows.add(row(check, node)));
    }
    if (lines.isEmpty()) {
      lines.add("No NodeHealthChecks.");
    }
    if (!rows.isEmpty()) {
      rows.addFirst(HEADER);
      lines.add("");
      rows.forEach(row -> lines.add(line(row, rows)));
    }
    return lines;
  }

  private static List<String> row(CheckView check, NodeView node) {
    return List.of(
        check.name(),
        node.name(),
        node.condition() == null ? "healthy again" : node.condition(),
        node.remediations().isEmpty()
            ? "-"
            : node.remediations().stream()
                .map(RemediationTable::started)
                .collect(Collectors.joining(", ")),
        node.why() == null ? "-" : node.why());
  }

  private static String started(StartedView remediation) {
    return remediation.kind()
        + "/"
        + remediation.name()
        + (remediation.timedOut() == null ? "" : " (timed out)");
  }

  private static String line(List<String> row, List<List<String>> all) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < row.size() - 1; column++) {
      int at = column;
      int width = all.stream().mapToInt(other -> other.get(at).length()).max().orElse(0);
      line.append(row.get(column)).repeat(' ', width - row.get(column).length()).append(GAP);
    }
    return line.append(row.getLast()).toString();
  }
}
