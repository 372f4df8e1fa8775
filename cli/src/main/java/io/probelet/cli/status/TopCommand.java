package io.probelet.cli.status;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.cli.status.ProbeRecord.Order;
import io.probelet.fleet.terminal.Colours.Meaning;
import io.probelet.fleet.terminal.Table;
import io.probelet.fleet.terminal.Terminal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code probelet top}: the probes of a running agent that fail, flap or are slow. */
@Command(
    name = "top",
    mixinStandardHelpOptions = true,
    header = "Show the probes that fail, flap or are slow",
    description =
        "Shows the worst probes of a running agent by their last 60 outcomes: probes that fail,"
            + " cannot run, flap or are slow.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  probelet top                     the worst probes first",
      "  probelet top --sort latency -w   the slowest probes, refreshed",
      "  probelet top -n shop --rows 100"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {" 0:the agent answered", " 2:no agent answers, or wrong usage"})
public final class TopCommand implements Callable<Integer> {

  /** A probe that takes this share of its timeout may soon time out. */
  private static final double NEAR_TIMEOUT = 0.8;

  @Spec private CommandSpec spec;
  @Mixin private AgentOptions agentOptions = new AgentOptions();

  @Option(
      names = "--sort",
      paramLabel = "ORDER",
      defaultValue = "trouble",
      description =
          "What makes a probe the worst: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Order order;

  @Mixin private NamespaceFilter namespaces = new NamespaceFilter();
  @Mixin private RowLimit limit = new RowLimit();

  /** Created by the command line. */
  public TopCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    int rows = limit.rows();
    namespaces.check();
    return new Refresh(spec, agentOptions)
        .show(
            new Refresh.Question() {
              @Override
              public List<String> lines(AgentClient agent, Terminal terminal) throws IOException {
                ProbeHistories histories = ProbeHistories.read(agent, namespaces.name());
                List<ProbeRecord> all = ProbeRecord.of(histories.containers(), order);
                List<ProbeRecord> shown = all.subList(0, Math.min(rows, all.size()));
                List<String> lines = new ArrayList<>(table(shown, terminal));
                if (shown.size() < all.size()) {
                  lines.add(more(all.subList(shown.size(), all.size())));
                }
                lines.addAll(histories.notes());
                return lines;
              }

              @Override
              public String json(AgentClient agent) throws IOException {
                ProbeHistories histories = ProbeHistories.read(agent, namespaces.name());
                histories.notes().forEach(spec.commandLine().getErr()::println);
                List<ProbeRecord> all = ProbeRecord.of(histories.containers(), order);
                return new ObjectMapper()
                    .writeValueAsString(all.subList(0, Math.min(rows, all.size())));
              }
            });
  }

  /** Counts the failing ones among those not shown. */
  private static String more(List<ProbeRecord> hidden) {
    long failing = hidden.stream().filter(each -> each.failed() > 0 || each.errors() > 0).count();
    return "… %d probes not shown, %s"
        .formatted(
            hidden.size(),
            failing == 0 ? "none with failures or errors" : failing + " with failures or errors");
  }

  private List<String> table(List<ProbeRecord> records, Terminal terminal) {
    if (records.isEmpty()) {
      return List.of(namespaces.none("probes"));
    }
    Table table =
        new Table(
                "POD",
                "CONTAINER",
                "PROBE",
                "RESULT",
                "FAILED",
                "ERRORS",
                "CHANGES",
                "MEDIAN",
                "MAX",
                "TIMEOUT",
                "LAST TROUBLE")
            .in(terminal.colours())
            .within(terminal.columns(), "TIMEOUT", "MEDIAN", "CHANGES", "ERRORS", "MAX")
            .cutting("POD", "CONTAINER", "PROBE")
            .atLastWithout("RESULT", "PROBE", "CONTAINER")
            .where("RESULT", TopCommand::ofResult)
            .where("FAILED", failed -> failed.startsWith("0 ") ? Meaning.PLAIN : Meaning.BAD)
            .where("ERRORS", errors -> errors.equals("0") ? Meaning.PLAIN : Meaning.WARNING)
            .where("CHANGES", changes -> changes.equals("0") ? Meaning.PLAIN : Meaning.WARNING)
            .where("MAX", slowest -> slowest.endsWith("!") ? Meaning.WARNING : Meaning.PLAIN);
    for (ProbeRecord each : records) {
      table.add(
          List.of(
              each.namespace() + "/" + each.pod(),
              each.container(),
              each.kind() + " " + each.handler(),
              each.result(),
              each.failed() + " of " + each.outcomes(),
              Integer.toString(each.errors()),
              Integer.toString(each.changes()),
              millis(each.medianMs()),
              millis(each.maxMs()) + (each.timeoutShare() >= NEAR_TIMEOUT ? "!" : ""),
              each.timeoutMs() + " ms",
              each.message().isEmpty() ? "-" : StatusTable.shortened(each.message())));
    }
    return table.lines();
  }

  private static Meaning ofResult(String result) {
    return switch (result) {
      case "Success" -> Meaning.GOOD;
      case "Failure" -> Meaning.BAD;
      default -> Meaning.WARNING;
    };
  }

  private static String millis(double latency) {
    return String.format(Locale.ROOT, latency < 10 ? "%.1f ms" : "%.0f ms", latency);
  }
}
