package io.probelet.agent.status;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.probelet.agent.api.ContainerView;
import io.probelet.agent.console.Table;
import io.probelet.agent.terminal.Colours;
import io.probelet.agent.terminal.Colours.Meaning;
import io.probelet.agent.terminal.Terminal;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code probelet events}: what a running agent has noticed lately. */
@Command(
    name = "events",
    mixinStandardHelpOptions = true,
    description =
        "Shows what a running agent has noticed lately, oldest first: events of the node, and each"
            + " probe that began to fail or to succeed again.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {" 0:the agent answered", " 2:no agent answers, or wrong usage"})
public final class EventsCommand implements Callable<Integer> {
  private static final int MAX_MESSAGE = 160;

  @Spec private CommandSpec spec;
  @Mixin private AgentOptions agentOptions = new AgentOptions();

  @Mixin private RowLimit limit = new RowLimit();

  /** Created by the command line. */
  public EventsCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    int rows = limit.rows();
    return new Refresh(spec, agentOptions)
        .show(
            new Refresh.Question() {
              @Override
              public List<String> lines(AgentClient agent, Colours colours) throws IOException {
                return table(happenings(agent, rows), colours);
              }

              @Override
              public boolean newestLast() {
                return true;
              }

              @Override
              public String json(AgentClient agent) throws IOException {
                return EventsCommand.json(happenings(agent, rows));
              }
            });
  }

  private static List<Happening> happenings(AgentClient agent, int rows) throws IOException {
    List<Happening> all = Happening.of(agent.node(0), agent.probed(ContainerView.MAX_HISTORY));
    return all.subList(Math.max(0, all.size() - rows), all.size());
  }

  private static List<String> table(List<Happening> happenings, Colours colours) {
    if (happenings.isEmpty()) {
      return List.of("No events.");
    }
    Table table =
        new Table("TIME", "REASON", "OBJECT", "MESSAGE")
            .in(colours)
            .where(
                "REASON",
                reason ->
                    switch (reason) {
                      case "ProbeFailed" -> Meaning.BAD;
                      case "ProbeError" -> Meaning.WARNING;
                      case "ProbeRecovered" -> Meaning.GOOD;
                      default -> Meaning.PLAIN;
                    });
    for (Happening each : happenings) {
      table.add(
          List.of(
              each.time(),
              Terminal.line(each.reason(), MAX_MESSAGE),
              Terminal.line(each.object(), MAX_MESSAGE),
              Terminal.line(each.message(), MAX_MESSAGE)));
    }
    return table.lines();
  }

  private static String json(List<Happening> happenings) {
    ArrayNode list = new ObjectMapper().createArrayNode();
    for (Happening each : happenings) {
      list.addObject()
          .put("time", each.time())
          .put("reason", each.reason())
          .put("object", each.object())
          .put("message", each.message());
    }
    return list.toString();
  }
}
