package io.probelet.cli.status;

import io.probelet.fleet.terminal.Table;
import io.probelet.web.remediation.RemediationView;
import io.probelet.web.remediation.RemediationView.CheckView;
import io.probelet.web.remediation.RemediationView.NodeView;
import io.probelet.web.remediation.RemediationView.StartedView;
import io.probelet.web.remediation.RemediatorsView;
import io.probelet.web.remediation.RemediatorsView.KindView;
import io.probelet.web.remediation.RemediatorsView.StandingView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The leader's answer as tables: a line per NodeHealthCheck, and a line per unhealthy node. */
final class RemediationTable {
  private RemediationTable() {}

  static List<String> lines(RemediationView view, int columns) {
    if (!view.leading()) {
      return List.of(
          view.leader() == null
              ? "This process is on standby; no leader is elected yet."
              : "This process is on standby; ask the leader, " + view.leader() + ".");
    }
    List<String> lines = new ArrayList<>();
    Table table =
        new Table("NODEHEALTHCHECK", "NODE", "CONDITION", "REMEDIATION", "HELD BACK")
            .within(columns, "NODEHEALTHCHECK", "REMEDIATION")
            .cutting("NODE", "CONDITION");
    boolean unhealthy = false;
    for (CheckView check : view.nodeHealthChecks()) {
      lines.add(
          "%s: %s, %d of %d nodes healthy (%s)"
              .formatted(
                  check.name(),
                  check.phase(),
                  check.healthyNodes(),
                  check.observedNodes(),
                  check.reason()));
      check.unhealthyNodes().forEach(node -> table.add(row(check, node)));
      unhealthy |= !check.unhealthyNodes().isEmpty();
    }
    if (lines.isEmpty()) {
      lines.add("No NodeHealthChecks.");
    }
    if (unhealthy) {
      lines.add("");
      lines.addAll(table.lines());
    }
    return lines;
  }

  /** Empty without remediators. */
  static List<String> lines(RemediatorsView view, int columns) {
    List<String> lines = new ArrayList<>();
    if (!view.leading() && view.leader() != null) {
      lines.add("Remediators: ask the leader, " + view.leader() + ".");
    }
    for (KindView kind : view.kinds()) {
      if (kind.problem() != null) {
        lines.add(kind.kind() + " is not carried out: " + kind.problem());
      }
    }
    if (!view.remediations().isEmpty()) {
      Table table =
          new Table("REMEDIATION", "NODE", "PHASE", "SINCE", "MESSAGE")
              .within(columns, "SINCE", "REMEDIATION")
              .cutting("NODE")
              .atLastWithout("PHASE");
      for (StandingView each : view.remediations()) {
        table.add(
            List.of(
                each.kind() + "/" + each.name(),
                each.node(),
                each.phase(),
                each.since() == null ? "-" : each.since(),
                each.message().isEmpty() ? "-" : each.message()));
      }
      lines.addAll(table.lines());
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
}
