package io.probelet.cli.status;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.probelet.fleet.terminal.Colours.Meaning;
import io.probelet.fleet.terminal.Table;
import io.probelet.fleet.terminal.Terminal;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code probelet events}: the recent events of a running agent. */
@Command(
    name = "events",
    mixinStandardHelpOptions = true,
    header = "Show recent events of containers and the node",
    description =
        "Shows the recent events of a running agent, oldest first: probes that began to fail or"
            + " recovered, restarts and restarts on hold, containers that started or ended, events"
            + " of the node. A streak of failures is one event with a count.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  probelet events             the newest 30 events",
      "  probelet events -w          new events as they happen",
      "  probelet events -n shop --rows 100"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {" 0:the agent answered", " 2:no agent answers, or wrong usage"})
public final class EventsCommand implements Callable<Integer> {
  private static final int MAX_MESSAGE = 160;

  @Spec private CommandSpec spec;
  @Mixin private AgentOptions agentOptions = new AgentOptions();

  @Mixin private NamespaceFilter namespaces = new NamespaceFilter();
  @Mixin private RowLimit limit = new RowLimit();

  /** Created by the command line. */
  public EventsCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    int rows = limit.rows();
    namespaces.check();
    return new Refresh(spec, agentOptions)
        .show(
            new Refresh.Question() {
              @Override
              public List<String> lines(AgentClient agent, Terminal terminal) throws IOException {
                List<EventRow> newest = newest(agent, rows);
                return newest.isEmpty()
                    ? List.of(namespaces.none("events"))
                    : table(newest, newest, terminal);
              }

              @Override
              public boolean newestLast() {
                return true;
              }

              @Override
              public String json(AgentClient agent) throws IOException {
                return newest(agent, rows).stream()
                    .map(EventsCommand::json)
                    .collect(joining(",", "[", "]"));
              }

              @Override
              public List<String> added(
                  AgentClient agent, Terminal terminal, boolean json, Set<Object> before)
                  throws IOException {
                return EventsCommand.added(all(agent), rows, terminal, json, before);
              }
            });
  }

  /** Events of the node belong to no namespace. */
  private List<EventRow> all(AgentClient agent) throws IOException {
    return EventRow.of(
        namespaces.isLimited() ? List.of() : agent.node(0).events(),
        agent.events().stream().filter(each -> namespaces.allows(each.namespace())).toList());
  }

  private List<EventRow> newest(AgentClient agent, int rows) throws IOException {
    return EventRow.newest(all(agent), rows);
  }

  /** Each event once, also if its count grows. */
  static List<String> added(
      List<EventRow> all, int rows, Terminal terminal, boolean json, Set<Object> before) {
    boolean first = before.isEmpty();
    List<EventRow> added =
        first
            ? EventRow.newest(all, rows)
            : all.stream().filter(each -> !before.contains(each.key())).toList();
    before.clear();
    before.add(EventsCommand.class); // marks that the first round is over
    all.forEach(each -> before.add(each.key()));
    if (json) {
      return added.stream().map(EventsCommand::json).toList();
    }
    List<String> lines = added.isEmpty() && !first ? List.of() : table(added, all, terminal);
    return first ? lines : lines.stream().skip(1).toList();
  }

  /** Wide enough for all of them, so that rows of later rounds stay aligned. */
  private static List<String> table(List<EventRow> events, List<EventRow> all, Terminal terminal) {
    if (events.isEmpty()) {
      return List.of("No events.");
    }
    Table table =
        new Table("TIME", "LAST", "COUNT", "REASON", "OBJECT", "MESSAGE")
            .in(terminal.colours())
            .within(terminal.columns(), "LAST", "COUNT")
            .cutting("OBJECT")
            .atLastWithout("TIME")
            .where(
                "REASON",
                reason ->
                    switch (reason) {
                      case "ProbeFailed", "ProbeThresholdReached", "Killing" -> Meaning.BAD;
                      case "ProbeError", "RestartHeld", "ContainerWaiting" -> Meaning.WARNING;
                      case "ProbeRecovered" -> Meaning.GOOD;
                      default -> Meaning.PLAIN;
                    });
    all.forEach(each -> table.widenFor(cells(each)));
    events.forEach(each -> table.add(cells(each)));
    return table.lines();
  }

  private static List<String> cells(EventRow each) {
    return List.of(
        each.time(),
        each.count() == 1 ? "-" : time(each.last()),
        Long.toString(each.count()),
        Terminal.line(each.reason(), MAX_MESSAGE),
        Terminal.line(each.object(), MAX_MESSAGE),
        Terminal.line(each.message(), MAX_MESSAGE));
  }

  /** The time of the day; the column before has the date. */
  private static String time(String last) {
    int day = last.indexOf('T');
    return Terminal.line(last.substring(day + 1), MAX_MESSAGE);
  }

  private static String json(EventRow each) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("time", each.time())
        .put("last", each.last())
        .put("count", each.count())
        .put("reason", each.reason())
        .put("object", each.object())
        .put("message", each.message())
        .toString();
  }
}
