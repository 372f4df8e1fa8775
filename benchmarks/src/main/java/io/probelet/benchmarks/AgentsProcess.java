package io.probelet.benchmarks;

import io.probelet.agent.cluster.AgentPorts;
import io.probelet.agent.cluster.ClusterAgent;
import io.probelet.agent.cluster.NodeRuntime;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.agent.config.LiveConfiguration;
import io.probelet.agent.config.NodeSettings;
import io.probelet.agent.config.RuntimeChoice;
import io.probelet.agent.node.NodePart;
import io.probelet.agent.node.NodeReports;
import io.probelet.agent.node.WatchedMonitors;
import io.probelet.health.SystemClock;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.monitor.node.NodeMonitor;
import io.probelet.monitor.rule.DefaultMonitors;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.Prober;
import io.probelet.probe.engine.ProbeEngine.LoopProber;
import io.probelet.probe.engine.ProbeLoop;
import io.probelet.probe.hook.HookLimits;
import io.probelet.probe.hook.HookRunner;
import io.probelet.probe.service.ProbeNetwork;
import io.probelet.probe.service.SocketNetwork;
import io.probelet.web.http.HttpServer;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.Resource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Many real agents in one process, each with its own client of the API server, and all parts of
 * {@code probelet agent} that use it. They share the event loop of probes, have no container
 * runtime (the API server reports the containers), and their HTTP servers do not listen. Does what
 * standard input says, and ends with it.
 */
final class AgentsProcess {
  static final String STARTED = "started";

  /** The file system of all nodes fails at once. */
  static final String FAIL = "fail";

  /** It is well again. */
  static final String HEAL = "heal";

  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private AgentsProcess() {}

  /**
   * Runs.
   *
   * @param args kubeconfig, number of the first node, how many, seconds over which they start,
   *     folder for their states
   */
  public static void main(String[] args) throws IOException {
    Quiet.logs();
    Path kubeconfig = Path.of(args[0]);
    int first = Integer.parseInt(args[1]);
    int count = Integer.parseInt(args[2]);
    Path states = Path.of(args[4]);
    long gap = Duration.ofSeconds(Integer.parseInt(args[3])).toMillis() / count;
    SharedNetwork network = new SharedNetwork(SocketNetwork.start(1, SystemClock.INSTANCE));
    List<AgentsNode> nodes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      AgentsNode node = new AgentsNode();
      nodes.add(node);
      String name = FleetObjects.node(first + i);
      agent(name, kubeconfig, network, node, Files.createDirectory(states.resolve(name)));
      Waiting.forMillis(gap);
    }
    OUT.println(STARTED);
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      boolean fails = line.equals(FAIL);
      nodes.forEach(node -> node.fail(fails));
    }
    Runtime.getRuntime().halt(0); // as if by a kill: nothing is written at the end
  }

  private static void agent(
      String name, Path kubeconfig, SharedNetwork network, AgentsNode node, Path state)
      throws IOException {
    AgentConfiguration configuration = configuration(state);
    var _ =
        new ClusterAgent(
            name,
            "probelet-system",
            new LiveConfiguration(null, _ -> configuration, SystemClock.INSTANCE),
            new AgentPorts(
                new ClusterAccess(kubeconfig, SystemClock.INSTANCE),
                network,
                _ -> () -> {},
                (address, _, _) -> new SilentServer(address),
                new NodeRuntime(
                    configuration.runtime(),
                    _ -> {
                      throw new IllegalStateException("there is no runtime");
                    }),
                Path.of("/proc"),
                new Random(),
                SystemClock.INSTANCE),
            new ClusterAgent.Extras(
                context ->
                    NodePart.start(
                        context,
                        new NodeReports(true, true, Duration.ofMinutes(5), ""),
                        new NodeMonitor(null, node, SystemClock.INSTANCE),
                        WatchedMonitors.of(DefaultMonitors.with(List.of()), SystemClock.INSTANCE)),
                (_, _, _, _) -> List.of(),
                _ -> List.of(),
                Optional.empty()));
  }

  private static AgentConfiguration configuration(Path state) {
    AgentConfiguration usual = AgentConfiguration.DEFAULT;
    return new AgentConfiguration(
        usual.origins(),
        new RuntimeChoice.None(),
        usual.execHold(),
        usual.restarts(),
        usual.policy(),
        new NodeSettings(List.of(), state, usual.node().evidence()),
        usual.orders(),
        usual.http(),
        usual.userAgent(),
        usual.incidents());
  }

  /** The network of all agents of this process, which none of them closes. */
  private record SharedNetwork(SocketNetwork network) implements ProbeNetwork {
    @Override
    public List<LoopProber> probers(
        Supplier<String> userAgent, Function<ProbeLoop, ? extends Prober<Exec>> exec) {
      return network.probers(userAgent, exec);
    }

    @Override
    public HookRunner hooks(HookLimits limits) {
      return network.hooks(limits);
    }

    @Override
    public long maxOpenFiles() {
      return network.maxOpenFiles();
    }

    @Override
    public List<Queue> queues() {
      return network.queues();
    }

    @Override
    public void close() {
      // others use it, too
    }
  }

  /** A server that nobody can ask. */
  private record SilentServer(ListenAddress address) implements HttpServer {
    @Override
    public void serve(String path, Resource resource) {
      // nobody asks
    }

    @Override
    public void close() {
      // nothing is open
    }
  }
}
