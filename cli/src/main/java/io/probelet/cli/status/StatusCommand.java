package io.probelet.cli.status;

import io.probelet.cli.console.IneffectiveOptions;
import io.probelet.cli.option.FleetOptions;
import io.probelet.cli.status.AgentClient.Reply;
import io.probelet.fleet.terminal.FullScreen;
import io.probelet.fleet.terminal.Terminal;
import io.probelet.health.FailureReason;
import io.probelet.health.SystemClock;
import io.probelet.web.api.ContainerHealth;
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
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code probelet status}: the containers of a running agent, its cluster's remediation, or the
 * whole cluster.
 */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    header = "Show containers, probes and node conditions, worst first",
    description =
        "Shows the containers of a running agent and the results of their probes, the worst first,"
            + " then the node's conditions. With --cluster: the whole cluster, as far as your"
            + " permissions go.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  probelet status                       everything, worst first",
      "  probelet status web                   one pod, and why it is not ready",
      "  probelet status --unwell -w           what is broken, refreshed",
      "  probelet status -n shop -o json       one namespace, for a script",
      "  probelet status --cluster             a whole cluster, with your kubeconfig"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:every container shown is ready or has completed and every manifest is valid; no node is"
          + " held back from remediation; with --cluster: everything is healthy",
      " 1:a container is not ready, or a manifest is invalid; a node is held back, or the agent is"
          + " not the leader; with --cluster: something is unhealthy",
      " 2:no agent answers, there is no such pod or namespace, or wrong usage; with --cluster: not"
          + " everything that matters could be read"
    })
public final class StatusCommand implements Callable<Integer> {
  private static final int OK = 0;
  private static final int NOT_READY = 1;
  private static final int NO_AGENT = 2;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "POD",
      description = "Show only this pod; also NAMESPACE/POD or POD/CONTAINER.")
  private @Nullable String pod;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Show only pods of this namespace (default: all namespaces).")
  private @Nullable String namespace;

  @Option(
      names = {"-A", "--all-namespaces"},
      description = "Show pods of all namespaces, which is the default.")
  private boolean allNamespaces;

  @Option(
      names = "--unwell",
      description = "Show only containers and conditions that are not healthy.")
  private boolean unwell;

  @Option(
      names = "--remediation",
      description =
          "Show the unhealthy nodes, and why each is not remediated; only the leader knows.")
  private boolean remediation;

  @Option(
      names = "--cluster",
      description =
          "Show the whole cluster, read with your kubeconfig: unhealthy nodes, remediations in"
              + " progress, what is held back and why, and the worst containers of up to 100 nodes."
              + " Changes nothing.")
  private boolean cluster;

  @Option(
      names = "--containers",
      description =
          "With --cluster: list all unhealthy containers, of up to 1000 nodes, and not only the"
              + " worst 20.")
  private boolean ofNodes;

  @Mixin private FleetOptions fleetOptions = new FleetOptions();

  @Mixin private AgentOptions agentOptions = new AgentOptions();

  /** Created by the command line. */
  public StatusCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    refuseIneffective();
    Terminal terminal = Terminal.standardOutput(System.getenv());
    if (cluster) {
      return new ClusterScreen(spec, terminal, agentOptions.watch(), agentOptions.json(), ofNodes)
          .show(fleetOptions);
    }
    AgentClient agent;
    StatusFilter filter;
    try {
      filter = new StatusFilter(pod == null ? null : ContainerName.parse(pod), namespace, unwell);
      agent = agentOptions.client();
    } catch (IllegalArgumentException wrong) {
      return failed("probelet status: " + wrong.getMessage());
    }
    FullScreen screen =
        agentOptions.watch() && !agentOptions.json() && terminal.interactive()
            ? terminal.fullScreen(spec.commandLine().getOut())
            : null;
    StatusView view = view(terminal, screen, filter);
    IntSupplier round =
        remediation ? () -> remediation(agent, terminal, screen) : () -> once(agent, view, filter);
    if (!agentOptions.watch()) {
      return round.getAsInt();
    }
    RefreshLoop.run(() -> {
      var _ = round.getAsInt();
    });
    return OK;
  }

  private void refuseIneffective() {
    if (cluster) {
      if (remediation || agentOptions.namesAddress()) {
        throw wrong(
            "--cluster asks the API server: it goes with neither --remediation nor --address.");
      }
      if (ofNodes && agentOptions.watch()) {
        throw wrong(
            "--containers lists all once: it does not go with --watch, which shows the worst.");
      }
      if (namespace != null) {
        throw wrong(
            "--namespace is the namespace of pods and has no effect with --cluster; name"
                + " Probelet's own with --probelet-namespace.");
      }
      if (pod != null) {
        throw wrong(
            "a pod has no effect with --cluster, which lists the unhealthy containers of all pods.");
      }
      IneffectiveOptions.refuse(spec, "with --cluster", List.of("--all-namespaces", "--unwell"));
      return;
    }
    if (ofNodes) {
      throw wrong("--containers goes with --cluster only.");
    }
    IneffectiveOptions.refuse(spec, "without --cluster", FleetOptions.NAMES);
    if (allNamespaces) {
      IneffectiveOptions.refuse(spec, "with --all-namespaces", List.of("--namespace"));
    }
    if (remediation) {
      IneffectiveOptions.refuse(
          spec, "with --remediation", List.of("--namespace", "--all-namespaces", "--unwell"));
      if (pod != null) {
        throw wrong("a pod has no effect with --remediation.");
      }
    }
  }

  private ParameterException wrong(String what) {
    return new ParameterException(spec.commandLine(), what);
  }

  private int failed(String why) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(why);
    err.flush();
    return NO_AGENT;
  }

  private int remediation(AgentClient agent, Terminal terminal, @Nullable FullScreen screen) {
    try {
      RemediationStatus status = agent.remediation();
      PrintWriter out = spec.commandLine().getOut();
      if (agentOptions.json()) {
        status.printJson(out);
      } else if (screen == null) {
        status.lines(terminal.columns()).forEach(out::println);
        out.flush();
      } else {
        screen.show(status.lines(terminal.columns()));
      }
      return status.isFine() ? OK : NOT_READY;
    } catch (IOException noAnswer) {
      String why = FailureReason.of(noAnswer);
      if (screen == null) {
        return failed(why);
      }
      screen.show(List.of(why));
      return NO_AGENT;
    }
  }

  /** Names the commands that tell more about the worst container. */
  private void hint(Reply selected) {
    ContainerHealth.worstFirst(selected.containers()).stream()
        .findFirst()
        .filter(worst -> !worst.asItShouldBe() && ContainerName.isValid(worst))
        .ifPresent(worst -> {
          String name = worst.namespace() + "/" + worst.pod() + "/" + worst.container();
          PrintWriter out = spec.commandLine().getOut();
          out.println();
          out.println("Next: probelet explain " + name + ", probelet logs " + name);
          out.flush();
        });
  }

  private int once(AgentClient agent, StatusView view, StatusFilter filter) {
    try {
      Reply selected = filter.selected(agent.containers(view.history(), filter.choice()));
      if (selected.containers().isEmpty() && filter.isNamed()) {
        view.missing(
            "the agent has no container"
                + (filter.name() == null ? "" : " of " + filter.name())
                + (filter.namespace() == null ? "" : " in namespace " + filter.namespace())
                + "; `probelet status` lists all");
        return NO_AGENT;
      }
      view.show(selected);
      if (!agentOptions.watch() && !agentOptions.json()) {
        hint(selected);
      }
      return selected.manifests().total() == 0
              && selected.containers().stream().allMatch(ContainerView::asItShouldBe)
          ? OK
          : NOT_READY;
    } catch (IOException noAnswer) {
      view.missing(FailureReason.of(noAnswer));
      return NO_AGENT;
    }
  }

  private StatusView view(Terminal terminal, @Nullable FullScreen screen, StatusFilter filter) {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (agentOptions.json()) {
      return new StatusView.Json(out, err, filter);
    }
    return screen == null
        ? new StatusView.Lines(out, err, SystemClock.INSTANCE, terminal, filter)
        : new StatusView.Screen(screen, terminal, SystemClock.INSTANCE, filter);
  }
}
