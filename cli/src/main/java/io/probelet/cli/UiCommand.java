package io.probelet.cli;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.cli.console.EndSignal;
import io.probelet.cli.console.IneffectiveOptions;
import io.probelet.cli.console.LogOptions;
import io.probelet.cli.console.Logging;
import io.probelet.cli.option.FleetOptions;
import io.probelet.cli.option.FleetOptions.Fleet;
import io.probelet.fleet.DemoCluster;
import io.probelet.fleet.FleetAgent;
import io.probelet.fleet.FleetContainers;
import io.probelet.fleet.terminal.Terminal;
import io.probelet.fleet.ui.AgentPage;
import io.probelet.fleet.ui.BrowserOpener;
import io.probelet.fleet.ui.FleetToPlay;
import io.probelet.fleet.ui.UiPages;
import io.probelet.fleet.ui.UiServer;
import io.probelet.fleet.ui.simulate.TapePlayer;
import io.probelet.health.FailureReason;
import io.probelet.health.SystemClock;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.NodeView;
import io.probelet.web.http.Resource;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code probelet ui}: the cluster's page, served to one operator on loopback. */
@Command(
    name = "ui",
    mixinStandardHelpOptions = true,
    header = "Show a whole cluster in the browser",
    description =
        "Shows the cluster in the browser until Ctrl-C: a map of its nodes, what is unhealthy and"
            + " since when, remediations in progress, and what is held back and why. Reads with your"
            + " kubeconfig and listens on loopback. The printed address works once, in one browser.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  probelet ui --context prod",
      "  probelet ui --port 8080 --no-browser     through an SSH tunnel",
      "  probelet ui --tape tape.jsonl"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:ended by Ctrl-C or TERM",
      " 2:wrong usage, the API server cannot be reached, the file is not a tape, or the port is in"
          + " use"
    })
public final class UiCommand implements Callable<Integer> {
  private static final int OK = 0;
  private static final int BAD_INPUT = 2;
  private static final int LAST_PORT = 65_535;

  /** All others choose a cluster. */
  private static final List<String> WITH_DEMO =
      List.of("--demo", "--port", "--no-browser", "--tape", "--log-format");

  @Spec private CommandSpec spec;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "Port on 127.0.0.1 to listen on, for a tunnel (default: any free port).")
  private int port;

  @Option(names = "--no-browser", description = "Only print the address.")
  private boolean noBrowser;

  @Option(
      names = "--tape",
      paramLabel = "FILE",
      description =
          "Tape of a cluster's node events to play on the page Simulate; see docs/how-to/tape.md.")
  private @Nullable Path tape;

  @Option(
      names = "--demo",
      description =
          "Show a made-up cluster. Needs no cluster and no kubeconfig; every page says that it is a"
              + " demo.")
  private boolean demo;

  @Mixin private FleetOptions fleetOptions = new FleetOptions();
  @Mixin private LogOptions logOptions = new LogOptions();

  /** Created by the command line. */
  public UiCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    if (port < 0 || port > LAST_PORT) {
      throw new ParameterException(spec.commandLine(), "--port must be from 0 to 65535.");
    }
    if (demo) {
      IneffectiveOptions.refuseOthers(spec, "with --demo", WITH_DEMO);
    }
    TapePlayer player;
    try {
      player = tape == null ? null : TapePlayer.of(tape);
    } catch (IOException wrong) {
      print("probelet ui: " + Terminal.printable(FailureReason.withFile(wrong)));
      return BAD_INPUT;
    }
    EndSignal end = EndSignal.install();
    try (Logging _ = logOptions.open();
        ProbeLoops loops = ProbeLoops.start(1, "ui-", SystemClock.INSTANCE);
        Cluster cluster = demo ? new MadeUp() : new Real(fleetOptions.open());
        UiServer server =
            new UiServer(
                port,
                loops.all().getFirst().eventLoop(),
                cluster.pages(player),
                new SecureRandom())) {
      serve(server.address(), end);
      return OK;
    } catch (IOException | IllegalArgumentException | KubernetesClientException unable) {
      print("probelet ui: " + FailureReason.withFile(unable));
      return BAD_INPUT;
    } finally {
      end.ended();
    }
  }

  /** A cluster to show. */
  private sealed interface Cluster extends AutoCloseable {
    Map<String, Resource> pages(@Nullable TapePlayer player);

    @Override
    void close();
  }

  /** The cluster of the kubeconfig. */
  private record Real(Fleet fleet) implements Cluster {
    @Override
    public Map<String, Resource> pages(@Nullable TapePlayer player) {
      FleetAgent agent = fleet.agent();
      return UiPages.of(
          fleet.reader()::view,
          new AgentsOf(agent::node, agent::containers),
          new FleetToPlay(fleet.reader()),
          player,
          SystemClock.INSTANCE);
    }

    @Override
    public void close() {
      fleet.close();
    }
  }

  /** The demo. */
  private record MadeUp() implements Cluster {
    @Override
    public Map<String, Resource> pages(@Nullable TapePlayer player) {
      DemoCluster cluster = new DemoCluster(SystemClock.INSTANCE);
      return UiPages.of(
          cluster::view,
          new AgentsOf(cluster::node, cluster::containers),
          new FleetToPlay(cluster),
          player,
          DemoCluster.NOTICE,
          SystemClock.INSTANCE);
    }

    @Override
    public void close() {}
  }

  /** How a node is asked for. */
  @FunctionalInterface
  private interface NodeQuestion {
    NodeView ask(String node) throws IOException, InterruptedException;
  }

  /** Agents, by how they are asked. */
  private record AgentsOf(NodeQuestion nodes, FleetContainers.Agents asked)
      implements AgentPage.Agents {
    @Override
    public NodeView node(String node) throws IOException, InterruptedException {
      return nodes.ask(node);
    }

    @Override
    public List<ContainerView> containers(String node, int history)
        throws IOException, InterruptedException {
      return asked.containers(node, history);
    }
  }

  private void serve(String address, EndSignal end) throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    out.println(address);
    out.flush();
    Optional<BrowserOpener> browser = noBrowser ? Optional.empty() : browser(address);
    print(
        browser.isPresent()
            ? "Opening the browser; if none appears, open this address. It works once, in one"
                + " browser. Ctrl-C ends."
            : "Open this address in a browser; it works once. Ctrl-C ends.");
    try {
      end.await();
    } finally {
      if (browser.isPresent()) {
        browser.get().close();
      }
    }
  }

  private Optional<BrowserOpener> browser(String address) throws InterruptedException {
    try {
      return BrowserOpener.open(address, System.getenv());
    } catch (IOException failed) {
      print("probelet ui: the browser cannot be started: " + FailureReason.of(failed));
      return Optional.empty();
    }
  }

  private void print(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(line);
    err.flush();
  }
}
