package io.probelet.fleet;

import io.probelet.fleet.terminal.Colours;
import io.probelet.fleet.terminal.Colours.Meaning;
import io.probelet.fleet.terminal.Table;
import io.probelet.fleet.terminal.Terminal;
import io.probelet.web.api.Severity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A cluster as lines for people, worst first. */
final class FleetTable {
  private static final int MAX_ROWS = 50;
  private static final int MAX_MESSAGE = 240;

  private final FleetView view;
  private final @Nullable FleetContainers containers;
  private final Colours colours;

  /**
   * Shows a cluster.
   *
   * @param containers the unhealthy containers of its nodes; null while they are not known
   */
  FleetTable(FleetView view, @Nullable FleetContainers containers, Colours colours) {
    this.view = view;
    this.containers = containers;
    this.colours = colours;
  }

  /** {@return the lines} */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(summary());
    section(lines, nodes());
    section(lines, waits());
    section(lines, remediations());
    section(lines, checks());
    section(lines, policies());
    section(lines, clusterHealth());
    section(lines, leaders());
    section(lines, gaps());
    if (!view.absent().isEmpty()) {
      section(lines, List.of("Not installed: " + String.join(", ", view.absent()) + "."));
    }
    return lines;
  }

  private static void section(List<String> lines, List<String> more) {
    if (!more.isEmpty()) {
      lines.add("");
      lines.addAll(more);
    }
  }

  private String summary() {
    String counts =
        view.counts().entrySet().stream()
            .map(count -> count.getValue() + " " + count.getKey().label().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", "));
    String verdict =
        switch (view.verdict()) {
          case WELL -> healthy();
          case NOT_WELL -> "Degraded";
          case UNKNOWN -> "Unknown, as not everything could be read";
        };
    int nodes = view.nodes().size();
    return "%s: %d node%s%s"
        .formatted(
            verdict, nodes, nodes == 1 ? "" : "s", counts.isEmpty() ? "" : " (" + counts + ")");
  }

  /** A cluster whose containers nobody could check is never said to be healthy. */
  private String healthy() {
    if (containers == null) {
      return "Nodes healthy, containers not checked";
    }
    int unhealthy = containers.containers().size() + containers.more();
    if (unhealthy == 0 && containers.complete()) {
      return "Healthy";
    }
    return "Nodes healthy"
        + (unhealthy == 0
            ? ""
            : ", %d unhealthy container%s".formatted(unhealthy, unhealthy == 1 ? "" : "s"))
        + (containers.complete()
            ? ""
            : ", %d of %d agents answered".formatted(containers.answered(), containers.nodes()));
  }

  private List<String> nodes() {
    List<FleetNode> unwell =
        view.nodes().stream()
            .filter(node -> node.state() != FleetNode.State.HEALTHY)
            .sorted(Comparator.comparing(FleetNode::state).thenComparing(FleetNode::name))
            .toList();
    Table table =
        new Table("NODE", "STATE", "PROBLEM", "SINCE", "NEXT")
            .in(colours)
            .where("STATE", FleetTable::ofState);
    for (FleetNode node : unwell.subList(0, Math.min(MAX_ROWS, unwell.size()))) {
      table.add(
          List.of(
              plain(node.name()),
              node.state().label() + (node.cordoned() ? ",cordoned" : ""),
              node.problem().isEmpty() ? "-" : plain(node.problem()),
              ago(node.since(), view.time()),
              next(node)));
    }
    return bounded(table, unwell.size(), states(unwell));
  }

  /** Counts the nodes that are left out by state. */
  private static String states(List<FleetNode> unwell) {
    Map<FleetNode.State, Integer> counts =
        FleetView.counts(unwell.subList(Math.min(MAX_ROWS, unwell.size()), unwell.size()));
    return counts.entrySet().stream()
        .map(count -> count.getValue() + " " + count.getKey().label().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", ", ": ", ""));
  }

  private String next(FleetNode node) {
    if (node.unhealthyAt() != null) {
      return "unhealthy in " + Table.age(Duration.between(view.time(), node.unhealthyAt()));
    }
    if (node.state() == FleetNode.State.WAITING) {
      return "see WHY below";
    }
    return view.remediationsOf(node.name()).stream()
        .reduce((_, newest) -> newest)
        .map(newest -> plain(newest.kind() + "/" + newest.name()))
        .orElse("-");
  }

  private List<String> waits() {
    Table table = new Table("HELD BACK", "BY", "WHY", "ENDS").in(colours);
    for (FleetWait wait : view.waits().subList(0, Math.min(MAX_ROWS, view.waits().size()))) {
      table.add(
          List.of(
              wait.node().isEmpty() ? "all nodes" : plain(wait.node()),
              wait.check().isEmpty() ? "-" : plain(wait.check()),
              plain(wait.why()),
              wait.until() == null
                  ? "-"
                  : "in " + Table.age(Duration.between(view.time(), wait.until()))));
    }
    return bounded(table, view.waits().size());
  }

  private List<String> remediations() {
    Table table = new Table("REMEDIATION", "NODE", "STEP", "STATE", "SINCE", "MESSAGE").in(colours);
    List<FleetRemediation> all = view.remediations();
    for (FleetRemediation each : all.subList(0, Math.min(MAX_ROWS, all.size()))) {
      table.add(
          List.of(
              plain(each.kind() + "/" + each.name()),
              plain(each.node()),
              each.step() == 0 ? "-" : each.step() + " of " + each.steps(),
              state(each),
              ago(each.started(), view.time()),
              each.message().isEmpty() ? "-" : plain(each.message())));
    }
    return bounded(table, all.size());
  }

  /** A phase says more than "in progress". */
  private static String state(FleetRemediation each) {
    String state = each.state() == FleetRemediation.State.AT_WORK ? "" : each.state().label();
    if (each.phase().isEmpty() || each.phase().equals(state)) {
      return each.state().label();
    }
    return plain(each.phase()) + (state.isEmpty() ? "" : "," + state);
  }

  private List<String> checks() {
    Table table =
        new Table("NODEHEALTHCHECK", "PHASE", "HEALTHY", "REQUIRED", "REASON").in(colours);
    List<FleetCheck> checks = Severity.worstFirst(view.checks(), FleetCheck::severity);
    for (FleetCheck check : checks.subList(0, Math.min(MAX_ROWS, checks.size()))) {
      table.add(
          List.of(
              plain(check.name()),
              check.phase().isEmpty() ? "-" : plain(check.phase()),
              check.problem().isEmpty() ? check.healthy() + " of " + check.nodes() : "-",
              check.required() == null ? "-" : check.required() + " (" + plain(check.floor()) + ")",
              plain(check.problem().isEmpty() ? check.reason() : check.problem())));
    }
    return bounded(table, checks.stream().map(FleetCheck::severity).toList());
  }

  private List<String> policies() {
    Table table =
        new Table("REMEDIATIONPOLICY", "NODES", "IN PROGRESS", "HELD BACK", "LIMITS").in(colours);
    List<FleetPolicy> policies = Severity.worstFirst(view.policies(), FleetPolicy::severity);
    for (FleetPolicy policy : policies.subList(0, Math.min(MAX_ROWS, policies.size()))) {
      String limits =
          (policy.paused() ? "paused " : "")
              + (policy.dryRun() ? "dryRun " : "")
              + String.join(", ", policy.limits());
      table.add(
          List.of(
              plain(policy.name()),
              Integer.toString(policy.nodes()),
              Integer.toString(policy.remediating()),
              Integer.toString(policy.held()),
              policy.problem().isEmpty() ? plain(limits) : "invalid: " + plain(policy.problem())));
    }
    return bounded(table, policies.stream().map(FleetPolicy::severity).toList());
  }

  private List<String> clusterHealth() {
    Table table =
        new Table("CLUSTER", "STATUS", "SINCE", "REASON", "MESSAGE")
            .in(colours)
            .where("STATUS", FleetTable::ofStatus);
    List<FleetCondition> parts =
        Severity.worstFirst(view.clusterHealth(), FleetCondition::severity);
    parts.stream()
        .limit(MAX_ROWS)
        .forEach(condition ->
            table.add(
                List.of(
                    plain(condition.type()),
                    plain(condition.status()),
                    ago(condition.since(), view.time()),
                    plain(condition.reason()),
                    plain(condition.message()))));
    return bounded(table, parts.stream().map(FleetCondition::severity).toList());
  }

  private List<String> leaders() {
    Table table = new Table("LEASE", "HOLDER", "RENEWED").in(colours);
    for (FleetLeader leader : view.leaders()) {
      table.add(
          List.of(
              leader.lease(),
              leader.holder().isEmpty()
                  ? "none"
                  : plain(leader.holder()) + (leader.leading() ? "" : " (expired)"),
              ago(leader.renewed(), view.time())));
    }
    return bounded(table, view.leaders().size());
  }

  private List<String> gaps() {
    Table table = new Table("NOT READ", "WHY").in(colours).where("WHY", _ -> Meaning.WARNING);
    for (FleetGap gap : view.gaps()) {
      table.add(List.of(plain(gap.what()), plain(gap.why())));
    }
    return bounded(table, view.gaps().size());
  }

  /** Leaves out an empty table, and counts rows beyond the bound. */
  private static List<String> bounded(Table table, int size) {
    return bounded(table, size, "");
  }

  private static List<String> bounded(Table table, List<Severity> sorted) {
    List<Severity> hidden = sorted.subList(Math.min(MAX_ROWS, sorted.size()), sorted.size());
    return bounded(table, sorted.size(), hidden.isEmpty() ? "" : Severity.kinds(hidden));
  }

  /** The same with the kinds of rows beyond the bound. */
  private static List<String> bounded(Table table, int size, String kinds) {
    if (size == 0) {
      return List.of();
    }
    List<String> lines = new ArrayList<>(table.lines());
    if (size > MAX_ROWS) {
      lines.add("and %d more%s; all are in -o json".formatted(size - MAX_ROWS, kinds));
    }
    return lines;
  }

  private static Meaning ofState(String state) {
    return state.startsWith(FleetNode.State.HEALTHY.label()) ? Meaning.GOOD : Meaning.BAD;
  }

  private static Meaning ofStatus(String status) {
    return switch (status) {
      case "True" -> Meaning.GOOD;
      case "False" -> Meaning.BAD;
      default -> Meaning.WARNING;
    };
  }

  private static String plain(String text) {
    return Terminal.line(text, MAX_MESSAGE);
  }

  private static String ago(@Nullable Instant time, Instant now) {
    return time == null || time.equals(Instant.EPOCH)
        ? "-"
        : Table.age(Duration.between(time, now));
  }
}
