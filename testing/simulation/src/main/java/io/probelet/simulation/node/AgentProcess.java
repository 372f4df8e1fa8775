package io.probelet.simulation.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.probelet.agent.cluster.AgentPorts;
import io.probelet.agent.cluster.ClusterAgent;
import io.probelet.agent.cluster.NodeRuntime;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.agent.config.LiveConfiguration;
import io.probelet.agent.config.NodeSettings;
import io.probelet.agent.config.OrderSettings;
import io.probelet.agent.config.RestartSettings;
import io.probelet.agent.config.RuntimeChoice;
import io.probelet.agent.node.NodeContext;
import io.probelet.agent.node.NodePart;
import io.probelet.agent.node.NodeReports;
import io.probelet.agent.node.WatchedMonitors;
import io.probelet.agent.order.NodeActions;
import io.probelet.agent.order.OrdersPart;
import io.probelet.kube.ApiServer;
import io.probelet.monitor.node.NodeMonitor;
import io.probelet.monitor.node.NodeSnapshot;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.remediator.resource.KeptEvidence;
import io.probelet.runtime.cri.CriStats;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.kernel.Simulation;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.part.ControllerContext;
import io.probelet.web.part.Part;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A run of the real agent of a node, from its start to its end or kill. A restart is another run.
 */
public final class AgentProcess {
  private static final Path SOCKET = Path.of("/run/containerd/containerd.sock");
  private static final String NAMESPACE = "probelet-system";
  private static final Duration HEARTBEAT = Duration.ofMinutes(5);
  private static final CriStats CONNECTED =
      new CriStats(
          true,
          "",
          "simulated",
          0,
          0,
          Duration.ZERO,
          new CriStats.Execs(0, 0, 0, 0, Duration.ZERO, 0));

  private final SimulatedNode node;
  private final SimulatedApiServer api;
  private final AgentSetup setup;
  private final SimulatedProcess process;
  private final ContainerRuntime runtime;
  private final SimulatedNetwork network;
  private @Nullable ClusterAgent agent;

  private AgentProcess(
      Simulation world, SimulatedNode node, SimulatedApiServer api, AgentSetup setup) {
    this.node = node;
    this.api = api;
    this.setup = setup;
    process = node.process("agent-" + node.name());
    runtime = node.runtime().connect(process);
    SimulatedLoop loop = new SimulatedLoop(process, "probe-0");
    ExecutorService commands =
        Executors.newThreadPerTaskExecutor(process.ofVirtual().name("command-", 0).factory());
    network =
        new SimulatedNetwork(
            process,
            loop,
            ScriptedProber.of(world, process, loop, node.runtime(), runtime, commands));
  }

  /**
   * Starts the agent of a node.
   *
   * @param world where it is
   * @param node where it runs
   * @param api its API server
   * @param setup how it is set up
   */
  public static AgentProcess start(
      Simulation world, SimulatedNode node, SimulatedApiServer api, AgentSetup setup) {
    AgentProcess started = new AgentProcess(world, node, api, setup);
    started.process.start("main", () -> started.run(world));
    return started;
  }

  private void run(Simulation world) {
    AgentConfiguration configuration = configuration();
    try {
      agent =
          new ClusterAgent(
              node.name(),
              NAMESPACE,
              new LiveConfiguration(null, _ -> configuration, process),
              new AgentPorts(
                  api.access(process),
                  network,
                  _ -> () -> {}, // the first probe is as fast as all others
                  network::open,
                  new NodeRuntime(
                      configuration.runtime(),
                      _ -> new NodeRuntime.Connected(runtime, () -> CONNECTED)),
                  node.files().path("/proc"),
                  process.random("agent"),
                  process),
              new ClusterAgent.Extras(
                  this::monitor, this::orders, _ -> List.of(), Optional.empty()));
      setup.listeners().apply(process).forEach(agent::addListener);
    } catch (IOException impossible) { // its servers do not listen
      world.failed(impossible);
    }
  }

  private AgentConfiguration configuration() {
    AgentConfiguration usual = AgentConfiguration.DEFAULT;
    return new AgentConfiguration(
        usual.origins(),
        new RuntimeChoice.Socket(SOCKET),
        usual.execHold(),
        new RestartSettings(
            usual.restarts().enforcement(),
            usual.restarts().namespaces(),
            usual.restarts().withoutRuntime(),
            setup.guard(),
            usual.restarts().workloads(),
            usual.restarts().throttle(),
            usual.restarts().readiness()),
        usual.policy(),
        new NodeSettings(List.of(), node.files().state(), usual.node().evidence()),
        setup.orders(),
        usual.http(),
        usual.userAgent(),
        usual.incidents());
  }

  private NodePart monitor(NodeContext context) {
    Path state = node.files().state().resolve("node-monitor.json");
    return NodePart.start(
        context,
        new NodeReports(true, true, HEARTBEAT, ""),
        new NodeMonitor(state, node.sources(process), process),
        WatchedMonitors.of(setup.monitors(), process));
  }

  private List<Part> orders(
      ApiServer server,
      ControllerContext context,
      Supplier<CompletableFuture<NodeSnapshot>> seen,
      IntFunction<CompletableFuture<List<ContainerSnapshot>>> engine) {
    OrderSettings settings = setup.orders();
    return settings.enabled()
        ? List.of(
            OrdersPart.start(
                server,
                context,
                () -> settings,
                node.bootId(),
                NodeActions.by(
                    () -> node.bus().connect(process),
                    node.files().path("/proc/sysrq-trigger"),
                    reason -> new KeptEvidence(reason, "00", 1, List.of()),
                    process),
                () -> {}))
        : List.of();
  }

  /** {@return its process} */
  public SimulatedProcess process() {
    return process;
  }

  /** Kills it between two of its steps, perhaps within a write of a file. */
  public void kill() {
    node.kill(process);
  }

  /** Shuts it down, as TERM does. */
  public void end() {
    process.start(
        "shutdown",
        () -> {
          if (agent != null) {
            agent.close();
          }
          process.kill();
        });
  }

  /**
   * Asks its HTTP server.
   *
   * @param path such as {@code /readyz}
   * @return completes with the answer; never if the process is killed before it answers
   */
  public CompletableFuture<Reply> get(String path) {
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    process.start("http", () -> answer(path, reply));
    return reply;
  }

  private void answer(String path, CompletableFuture<Reply> reply) {
    try {
      Answer answer = network.at(path).get(Map.of());
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      answer.body().writeTo(body);
      reply.complete(new Reply(answer.status(), body.toString(UTF_8)));
    } catch (Exception failed) {
      reply.complete(new Reply(500, String.valueOf(failed)));
    }
  }

  /** An answer of an HTTP server. */
  public record Reply(int status, String body) {}
}
