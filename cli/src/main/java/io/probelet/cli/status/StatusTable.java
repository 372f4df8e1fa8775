package io.probelet.cli.status;

import io.probelet.fleet.terminal.Colours;
import io.probelet.fleet.terminal.Colours.Meaning;
import io.probelet.fleet.terminal.Table;
import io.probelet.fleet.terminal.Terminal;
import io.probelet.web.api.ContainerCause;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.ContainerView.OutcomeView;
import io.probelet.web.api.ContainerView.ProbeView;
import io.probelet.web.api.Rfc3339;
import io.probelet.web.page.Ago;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Containers as rows of aligned columns. */
final class StatusTable {
  private static final int MAX_MESSAGE_LENGTH = 80;
  private static final int MAX_CAUSE_LENGTH = 200;
  private static final String INDENT = "    ";

  /** Before the state of an init container, as kubectl has it. */
  private static final String INIT = "Init:";

  /** As container tools shorten them. */
  private static final int SHORT_ID = 12;

  private final Table table;

  private final int columns;

  /** Creates a table without rows for a window of so many columns. */
  StatusTable(Colours colours, int columns) {
    this.columns = columns;
    table =
        new Table(
                "NAMESPACE",
                "POD",
                "CONTAINER",
                "STATE",
                "READY",
                "STARTED",
                "RESTARTS",
                "ID",
                "PROBES",
                "LAST")
            .in(colours)
            .within(columns, "ID", "PROBES", "STARTED", "LAST")
            .cutting("NAMESPACE", "POD", "CONTAINER")
            .atLastWithout("RESTARTS", "NAMESPACE", "READY")
            .where("STATE", StatusTable::ofState)
            .where("READY", StatusTable::ofAnswer)
            .where("STARTED", StatusTable::ofAnswer)
            .where("PROBES", StatusTable::ofProbes);
  }

  private static Meaning ofState(String state) {
    return switch (state.startsWith(INIT) ? state.substring(INIT.length()) : state) {
      case "Running", "Completed" -> Meaning.GOOD;
      case "Waiting", "PodInitializing", "ContainerCreating" -> Meaning.WARNING;
      default -> Meaning.BAD;
    };
  }

  private static Meaning ofAnswer(String answer) {
    return answer.equals("true") ? Meaning.GOOD : Meaning.BAD;
  }

  private static Meaning ofProbes(String probes) {
    if (probes.contains("=Failure")) {
      return Meaning.BAD;
    }
    return probes.contains("failed)") || probes.contains("=Unknown")
        ? Meaning.WARNING
        : Meaning.PLAIN;
  }

  /** Makes the columns wide enough for these containers; they never become narrower. */
  void widenFor(List<ContainerView> containers) {
    containers.forEach(container -> table.widenFor(facts(container)));
  }

  String header() {
    return table.header();
  }

  /**
   * Prints one container: a row, and below it what its failing probes said and why it is not
   * running.
   *
   * @param now the wall time, for how long ago the last probe was
   */
  List<String> rows(ContainerView container, Instant now) {
    List<String> cells = new ArrayList<>(facts(container));
    cells.add(last(container, now));
    List<String> rows = new ArrayList<>(List.of(table.line(cells)));
    container.probes().stream()
        .filter(probe -> !outcome(probe).isEmpty() && !outcome(probe).equals("successful"))
        .map(probe -> probe.kind() + " probe " + outcome(probe) + said(probe))
        .forEach(reason -> rows.addAll(Terminal.wrapped(INDENT, reason, columns)));
    ContainerCause.warnings(container, MAX_CAUSE_LENGTH)
        .forEach(each ->
            rows.addAll(Terminal.wrapped(INDENT, Terminal.line("warning: " + each), columns)));
    if (ContainerCause.matters(container, now)) {
      rows.addAll(Terminal.wrapped(INDENT, Terminal.line(cause(container, now)), columns));
    }
    return rows;
  }

  private static String said(ProbeView probe) {
    String message = Terminal.line(probe.message(), MAX_CAUSE_LENGTH);
    return message.isEmpty() ? "" : ": " + message;
  }

  private static String cause(ContainerView container, Instant now) {
    return String.join(
        "; ",
        ContainerCause.phrases(
            container, time -> ago(Rfc3339.readOrEpoch(time), now), MAX_CAUSE_LENGTH));
  }

  /** All columns but LAST, which changes with every probe. */
  static List<String> facts(ContainerView container) {
    return List.of(
        container.namespace(),
        container.pod(),
        container.container(),
        (container.role().equals(ContainerView.INIT) ? INIT : "") + container.state(),
        Boolean.toString(container.ready()),
        Boolean.toString(container.started()),
        Integer.toString(container.restartCount()),
        shortId(container.id()),
        container.probes().isEmpty()
            ? "-"
            : container.probes().stream().map(StatusTable::probe).collect(Collectors.joining(" ")));
  }

  /** The beginning of a hash; the end of an id that is a path. */
  private static String shortId(String id) {
    String last = id.substring(id.lastIndexOf('/') + 1);
    return last.isEmpty() ? "-" : last.substring(0, Math.min(SHORT_ID, last.length()));
  }

  private static String probe(ProbeView probe) {
    String trouble = failing(probe) ? "(" + probe.consecutive() + " failed)" : "";
    return probe.kind() + "=" + probe.result() + trouble;
  }

  private static boolean failing(ProbeView probe) {
    return probe.consecutive() > 0 && "failed".equals(outcome(probe));
  }

  private static String outcome(ProbeView probe) {
    List<OutcomeView> history = probe.outcomes();
    return history.isEmpty() ? "" : history.getLast().result();
  }

  /** When the newest probe ended. */
  private static String last(ContainerView container, Instant now) {
    return container.probes().stream()
        .map(ProbeView::lastProbe)
        .filter(Objects::nonNull)
        .map(Instant::parse)
        .max(Comparator.naturalOrder())
        .map(at -> ago(Duration.between(at, now)))
        .orElse("-");
  }

  /** A time that has just come is now, not "0s ago". */
  private static String ago(Instant time, Instant now) {
    Duration age = Duration.between(time, now);
    return age.isNegative() || age.toSeconds() > 0 ? Ago.text(time, now) : "now";
  }

  static String ago(Duration age) {
    return age.compareTo(Duration.ofSeconds(1)) < 0 ? "now" : Table.age(age) + " ago";
  }

  static String shortened(String message) {
    return Terminal.line(message, MAX_MESSAGE_LENGTH);
  }
}
