package io.probelet.cli.status;

import io.probelet.cli.console.IneffectiveOptions;
import io.probelet.cli.option.FleetOptions;
import io.probelet.cli.status.AgentClient.Reply;
import io.probelet.fleet.terminal.Colours;
import io.probelet.fleet.terminal.FullScreen;
import io.probelet.fleet.terminal.Terminal;
import io.probelet.health.SystemClock;
import io.probelet.web.api.ContainerView;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code probelet status}: the containers of a running agent, its cluster's remediation, or the
 * whole cluster.
 */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description =
        "Shows the containers of a running agent and the state of their probes, the state of node"
            + " remediation, or a whole cluster as far as your rights go.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:every container is ready or has completed and every manifest is valid; no node is held back from remediation; with"
          + " --cluster: all is well",
      " 1:a container is not ready, or a manifest is invalid; a node is held back, or the agent is not the leader; with"
          + " --cluster: something is not well",
      " 2:no agent answers, or wrong usage; with --cluster: not everything that matters could be"
          + " read"
    })
public final class StatusCommand implements Callable<Integer> {
  private static final int OK = 0;
  private static final int NOT_READY = 1;
  private static final int NO_AGENT = 2;

  @Spec private CommandSpec spec;

  @Option(
      names = "--remediation",
      description = "Show the unhealthy nodes, and why each is not remediated; the leader knows.")
  private boolean remediation;

  @Option(
      names = "--cluster",
      description =
          "Show the whole cluster, asked with your kubeconfig and rights: nodes that are not well,"
              + " what is being done, what waits and why. Only reads.")
  private boolean cluster;

  @Option(
      names = "--containers",
      description =
          "With --cluster: also ask the agents of up to 100 nodes, the worst first, for their"
              + " unhealthy containers.")
  private boolean ofNodes;

  @Mixin private FleetOptions fleetOptions = new FleetOptions();

  @Mixin private AgentOptions agentOptions = new AgentOptions();

  /** Created by the command line. */
  public StatusCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    Terminal terminal = Terminal.standardOutput(System.getenv());
    if (cluster) {
      if (remediation || agentOptions.namesAddress()) {
        throw new ParameterException(
            spec.commandLine(),
            "--cluster asks the API server: it goes with neither --remediation nor --address.");
      }
      if (ofNodes && agentOptions.watch()) {
        throw new ParameterException(
            spec.commandLine(), "--containers asks each agent once: it does not go with --watch.");
      }
      return new ClusterScreen(spec, terminal, agentOptions.watch(), agentOptions.json(), ofNodes)
          .show(fleetOptions);
    }
    if (ofNodes) {
      throw new ParameterException(spec.commandLine(), "--containers goes with --cluster only.");
    }
    IneffectiveOptions.refuse(spec, "without --cluster", FleetOptions.NAMES);
    AgentClient agent;
    try {
      agent = agentOptions.client();
    } catch (IllegalArgumentException unknown) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("probelet status: " + unknown.getMessage());
      err.flush();
      return NO_AGENT;
    }
    FullScreen screen =
        agentOptions.watch() && !agentOptions.json() && terminal.interactive()
            ? terminal.fullScreen(spec.commandLine().getOut())
            : null;
    IntSupplier round =
        remediation ? () -> remediation(agent, screen) : containers(agent, terminal, screen);
    if (!agentOptions.watch()) {
      return round.getAsInt();
    }
    RefreshLoop.run(() -> {
      var _ = round.getAsInt();
    });
    return OK;
  }

  private int remediation(AgentClient agent, @Nullable FullScreen screen) {
    try {
      RemediationStatus status = agent.remediation();
      PrintWriter out = spec.commandLine().getOut();
      if (agentOptions.json()) {
        status.printJson(out);
      } else if (screen == null) {
        status.lines().forEach(out::println);
        out.flush();
      } else {
        screen.show(status.lines());
      }
      return status.isFine() ? OK : NOT_READY;
    } catch (IOException noAnswer) {
      String why = String.valueOf(noAnswer.getMessage());
      if (screen == null) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(why);
        err.flush();
      } else {
        screen.show(List.of(why));
      }
      return NO_AGENT;
    }
  }

  private IntSupplier containers(
      AgentClient agent, Terminal terminal, @Nullable FullScreen screen) {
    StatusView view = view(terminal.colours(), screen);
    return () -> once(agent, view);
  }

  private static int once(AgentClient agent, StatusView view) {
    try {
      Reply reply = agent.containers(view.history());
      view.show(reply);
      return reply.manifests().total() == 0
              && reply.containers().stream().allMatch(ContainerView::asItShouldBe)
          ? OK
          : NOT_READY;
    } catch (IOException noAnswer) {
      view.missing(String.valueOf(noAnswer.getMessage()));
      return NO_AGENT;
    }
  }

  private StatusView view(Colours colours, @Nullable FullScreen screen) {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (agentOptions.json()) {
      return new StatusView.Json(out, err);
    }
    return screen == null
        ? new StatusView.Lines(out, err, SystemClock.INSTANCE, colours)
        : new StatusView.Screen(screen, colours, SystemClock.INSTANCE);
  }
}
