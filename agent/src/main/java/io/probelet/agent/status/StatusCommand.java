package io.probelet.agent.status;

import io.probelet.agent.api.ContainerView;
import io.probelet.agent.http.ListenAddress;
import io.probelet.agent.remediation.RemediationStatus;
import io.probelet.agent.status.AgentClient.Reply;
import io.probelet.health.SystemClock;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code probelet status}: the containers of a running agent, or its cluster's remediation. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description =
        "Shows the containers of a running agent and the state of their probes, or the"
            + " state of node remediation.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:every container is ready or has completed; no node is held back from remediation",
      " 1:a container is not ready; a node is held back, or the agent is not the leader",
      " 2:no agent answers, or wrong usage"
    })
public final class StatusCommand implements Callable<Integer> {
  private static final int OK = 0;
  private static final int NOT_READY = 1;
  private static final int NO_AGENT = 2;
  private static final int REFRESH_SECONDS = 2;

  @Spec private CommandSpec spec;

  @Option(
      names = {"-w", "--watch"},
      description =
          "Refresh the table until Ctrl-C; when the output is no terminal, print a row for"
              + " each change.")
  private boolean watch;

  @Option(
      names = "--remediation",
      description = "Show the unhealthy nodes, and why each is not remediated; the leader knows.")
  private boolean remediation;

  @Option(
      names = {"-a", "--address"},
      paramLabel = "HOST:PORT",
      converter = AgentAddressConverter.class,
      description =
          "Where the agent listens (default: what PROBELET_LISTEN or the file of PROBELET_CONFIG"
              + " says, else "
              + ListenAddress.DEFAULT
              + ").")
  private @Nullable ListenAddress address;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      converter = OutputConverter.class,
      description = "table or json (default: ${DEFAULT-VALUE}).")
  private Output output;

  private enum Output {
    TABLE,
    JSON
  }

  /** Created by the command line. */
  public StatusCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    AgentClient agent;
    try {
      agent = new AgentClient(AgentAddress.of(address, System.getenv(), null));
    } catch (IllegalArgumentException unknown) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("probelet status: " + unknown.getMessage());
      err.flush();
      return NO_AGENT;
    }
    IntSupplier round = remediation ? () -> remediation(agent) : containers(agent);
    if (!watch) {
      return round.getAsInt();
    }
    CountDownLatch never = new CountDownLatch(1);
    do {
      var _ = round.getAsInt();
    } while (!never.await(REFRESH_SECONDS, TimeUnit.SECONDS));
    return OK;
  }

  private int remediation(AgentClient agent) {
    try {
      RemediationStatus status = agent.remediation();
      PrintWriter out = spec.commandLine().getOut();
      switch (output) {
        case JSON -> status.printJson(out);
        case TABLE -> status.print(out);
      }
      return status.isFine() ? OK : NOT_READY;
    } catch (IOException noAnswer) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(noAnswer.getMessage());
      err.flush();
      return NO_AGENT;
    }
  }

  private IntSupplier containers(AgentClient agent) {
    StatusView view = view();
    return () -> once(agent, view);
  }

  private static int once(AgentClient agent, StatusView view) {
    try {
      Reply reply = agent.containers(view.history());
      view.show(reply);
      return reply.containers().stream().allMatch(StatusCommand::asItShouldBe) ? OK : NOT_READY;
    } catch (IOException noAnswer) {
      view.missing(String.valueOf(noAnswer.getMessage()));
      return NO_AGENT;
    }
  }

  private static boolean asItShouldBe(ContainerView container) {
    return container.ready() || container.state().equals("Completed");
  }

  private StatusView view() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    return switch (output) {
      case JSON -> new StatusView.Json(out, err);
      case TABLE -> {
        Console terminal = watch ? System.console() : null;
        yield terminal != null && terminal.isTerminal()
            ? new StatusView.Screen(out, err, SystemClock.INSTANCE)
            : new StatusView.Lines(out, err, SystemClock.INSTANCE);
      }
    };
  }

  private static final class OutputConverter implements ITypeConverter<Output> {
    @Override
    public Output convert(String word) {
      return switch (word.toLowerCase(Locale.ROOT)) {
        case "table" -> Output.TABLE;
        case "json" -> Output.JSON;
        default ->
            throw new TypeConversionException(
                "\"" + word + "\" is not a format; use table or json");
      };
    }
  }
}
