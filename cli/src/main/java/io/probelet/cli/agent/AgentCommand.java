package io.probelet.cli.agent;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.agent.cluster.AgentPorts;
import io.probelet.agent.cluster.ClusterAgent;
import io.probelet.agent.cluster.NodeRuntime;
import io.probelet.agent.cluster.NodeRuntime.Connector;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.agent.config.LiveConfiguration;
import io.probelet.agent.config.RuntimeChoice;
import io.probelet.agent.config.StateLock;
import io.probelet.agent.diagnose.AgentParts;
import io.probelet.agent.diagnose.DiagnosePart;
import io.probelet.agent.diagnose.EvidenceUpload;
import io.probelet.agent.node.CriRuntimeStatus;
import io.probelet.agent.node.MonitorChoice;
import io.probelet.agent.node.NodePart;
import io.probelet.agent.node.NodeWatch;
import io.probelet.agent.node.Uninstall;
import io.probelet.agent.node.WatchedMonitors;
import io.probelet.agent.order.EvidenceSource;
import io.probelet.agent.order.NodeActions;
import io.probelet.agent.order.OrderStart;
import io.probelet.agent.order.OrdersPart;
import io.probelet.agent.run.PingSockets;
import io.probelet.agent.run.WarmUp;
import io.probelet.cli.console.EndSignal;
import io.probelet.cli.console.IneffectiveOptions;
import io.probelet.cli.console.Logging;
import io.probelet.cli.console.ProbeLogOptions;
import io.probelet.cli.controller.ControllerOptions;
import io.probelet.cli.option.KubeconfigOption;
import io.probelet.cli.option.NamespaceOption;
import io.probelet.cli.option.PodNamespace;
import io.probelet.cli.option.ScrapeOptions;
import io.probelet.controller.ControllerPorts;
import io.probelet.controller.ControllerSettings;
import io.probelet.health.FailureReason;
import io.probelet.health.SystemClock;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.evidence.EvidenceRing;
import io.probelet.monitor.evidence.NodeEvidence;
import io.probelet.monitor.node.Boot;
import io.probelet.probe.service.SocketNetwork;
import io.probelet.runtime.cri.CriOptions;
import io.probelet.web.http.HttpServers;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.LoopServers;
import io.probelet.web.part.Part;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code probelet agent}: probes the pods of one node of a cluster. */
@Command(
    name = "agent",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    header = "Probe the pods of a node and monitor it (DaemonSet)",
    description =
        "Probes the pods of one node of a cluster and monitors the node. It reads pods from the API"
            + " server and container states from the node's container runtime. Options take"
            + " precedence over the environment, which takes precedence over the configuration"
            + " file.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  probelet agent --node-name node-7 --config /etc/probelet/config.yaml",
      "  probelet agent --node-name node-7 --runtime-endpoint none    without access to the runtime",
      "  probelet agent --uninstall=all                               clean up all nodes"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:ended by Ctrl-C or TERM",
      " 1:--uninstall could not remove everything",
      " 2:bad configuration, or wrong usage"
    })
public final class AgentCommand implements Callable<Integer> {
  private static final int OK = 0;
  private static final int LEFT_SOMETHING = 1;
  private static final int BAD_INPUT = 2;
  private static final String LOOPBACK = "127.0.0.1";

  @Spec private CommandSpec spec;

  @Option(
      names = "--node-name",
      paramLabel = "NAME",
      defaultValue = "${env:NODE_NAME}",
      description = "Name of the node to probe (environment: NODE_NAME).")
  private @Nullable String nodeName;

  @Option(
      names = "--node-ip",
      paramLabel = "IP",
      defaultValue = "${env:NODE_IP}",
      description =
          "IP address of pods in the host network (environment: NODE_IP; default: 127.0.0.1).")
  private @Nullable String nodeIp;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      defaultValue = "${env:PROBELET_CONFIG}",
      description = "Configuration file (environment: PROBELET_CONFIG).")
  private @Nullable Path configFile;

  @Option(
      names = "--runtime-endpoint",
      paramLabel = "SOCKET",
      defaultValue = "${env:PROBELET_RUNTIME_ENDPOINT}",
      description =
          "Socket of the container runtime; auto: that of containerd or CRI-O; none: take"
              + " container states from the API server (environment: PROBELET_RUNTIME_ENDPOINT).")
  private @Nullable String runtimeEndpoint;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "${env:PROBELET_LISTEN}",
      description =
          "Address for status, API and metrics (environment: PROBELET_LISTEN; default:"
              + " 127.0.0.1:20258).")
  private @Nullable String listen;

  @Option(
      names = "--lead",
      defaultValue = "${env:PROBELET_LEAD:-false}",
      description =
          "Also run the controller's parts, in a cluster without `probelet controller`: node"
              + " remediation, cluster health, taints (environment: PROBELET_LEAD=true). Needs"
              + " cluster-wide permissions.")
  private boolean lead;

  @Option(
      names = "--uninstall",
      arity = "0..1",
      paramLabel = "WHERE",
      fallbackValue = "node",
      description =
          "Remove the conditions, taints and annotations that agents have set on nodes, and exit."
              + " node (the default): only the node of --node-name; all: every node.")
  private @Nullable UninstallFrom uninstall;

  @Parameters(arity = "0..*", hidden = true, paramLabel = "WORD")
  private List<String> words = List.of();

  @Mixin private KubeconfigOption kubeconfigOption = new KubeconfigOption();
  @Mixin private NamespaceOption namespaceOption = new NamespaceOption();
  @Mixin private ScrapeOptions scrapeOptions = new ScrapeOptions();
  @Mixin private ProbeLogOptions logOptions = new ProbeLogOptions();
  @Mixin private NodeOptions nodeOptions = new NodeOptions();
  @Mixin private ControllerOptions controllerOptions = new ControllerOptions();

  /** Created by the command line. */
  public AgentCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    if (!words.isEmpty() && !nodeOptions.isDetectorCommandLine()) {
      throw new ParameterException(
          spec.commandLine(), "unexpected argument '" + words.getFirst() + "'");
    }
    if (!words.isEmpty()) {
      List<Path> ignored = words.stream().map(Path::of).toList();
      new StrayWords(List.of(), ignored)
          .warnings()
          .forEach(each -> err.println("probelet agent: " + each));
    }
    if (uninstall != null) {
      refuseBesideUninstall(uninstall);
      return uninstall(uninstall, err);
    }
    if (!lead) {
      IneffectiveOptions.refuse(spec, "without --lead", ControllerOptions.NAMES);
    }
    EndSignal end = EndSignal.install();
    try (Logging logging = logOptions.open()) {
      LiveConfiguration configuration =
          new LiveConfiguration(configFile, this::prevailing, SystemClock.INSTANCE);
      ScrapeOptions.refuseIneffective(spec, configuration.now().http().metrics());
      try (StateLock state =
              StateLock.take(configuration.now().node().stateFolder(), "nodeMonitor.stateFolder");
          ClusterAgent agent = start(configuration, state.isHeld(), err)) {
        logging.addTo(agent.metrics());
        end.await();
      }
    } catch (IOException | IllegalArgumentException | KubernetesClientException unable) {
      err.println("probelet agent: " + FailureReason.withFile(unable));
      err.flush();
      return BAD_INPUT;
    } finally {
      end.ended();
    }
    return OK;
  }

  /** What {@code --uninstall} cleans up. */
  enum UninstallFrom {
    /** The node of {@code --node-name}. */
    NODE,
    /** Every node of the cluster. */
    ALL
  }

  private void refuseBesideUninstall(UninstallFrom where) {
    Set<String> effective =
        new HashSet<>(List.of("--uninstall", "--kubeconfig", "--apiserver-override"));
    if (where == UninstallFrom.NODE) {
      effective.addAll(List.of("--node-name", "--hostname-override"));
    }
    List<String> others =
        spec.options().stream()
            .map(OptionSpec::longestName)
            .filter(name -> !effective.contains(name))
            .toList();
    IneffectiveOptions.refuse(
        spec, "with --uninstall=" + where.name().toLowerCase(Locale.ROOT), others);
  }

  private int uninstall(UninstallFrom where, PrintWriter err) {
    try (ClusterAccess access = access()) {
      Uninstall nodes = new Uninstall(access.client(), spec.commandLine().getOut());
      boolean clear =
          switch (where) {
            case NODE -> nodes.node(nodeName());
            case ALL -> nodes.all();
          };
      return clear ? OK : LEFT_SOMETHING;
    } catch (IOException | IllegalArgumentException | KubernetesClientException unable) {
      err.println("probelet agent: " + FailureReason.withFile(unable));
      err.flush();
      return BAD_INPUT;
    }
  }

  /** Overrides the file's settings with those of options and environment. */
  private AgentConfiguration prevailing(AgentConfiguration file) {
    AgentConfiguration configuration = file.with(nodeOptions.prevailing(file.node().monitors()));
    if (runtimeEndpoint != null) {
      configuration = configuration.with(RuntimeChoice.parse(runtimeEndpoint));
    }
    if (listen != null) {
      configuration = configuration.with(ListenAddress.parse(listen));
    }
    return configuration.with(scrapeOptions.prevailing(configuration.http().metrics()));
  }

  private ClusterAgent start(LiveConfiguration configuration, boolean keepsState, PrintWriter err)
      throws IOException {
    nodeOptions.warnings(spec, true).forEach(each -> err.println("probelet agent: " + each));
    String node = nodeName();
    String ip = nodeIp();
    PodNamespace pod = namespaceOption.namespace();
    Optional<ControllerSettings> leads = leads(pod);
    ClusterAccess access = access();
    SocketNetwork network = SocketNetwork.start(1, new PingSockets(), SystemClock.INSTANCE);
    LoopServers servers = HttpServers.start(SystemClock.INSTANCE);
    NodeRuntime runtime =
        new NodeRuntime(
            configuration.now().runtime(),
            Connector.cri(
                new CriOptions(ip)
                    .withExecHold(configuration.now().execHold())
                    .withRoot(nodeOptions.hostRoot()),
                network.loops(),
                SystemClock.INSTANCE));
    try {
      Machine machine =
          nodeOptions.machine(
              configuration.now().node().stateFolder(),
              Optional.of(new CriRuntimeStatus(runtime::socket)));
      WatchedMonitors monitors = monitors(choice(configuration.now()), err);
      ClusterAgent agent =
          new ClusterAgent(
              node,
              pod.orUsual(),
              configuration,
              new AgentPorts(
                  access,
                  network,
                  service -> WarmUp.start(service, SystemClock.INSTANCE)::await,
                  servers,
                  runtime,
                  Path.of("/proc"),
                  new Random(
                      new SecureRandom().nextLong()), // it names candidates, as in controllers
                  SystemClock.INSTANCE),
              new ClusterAgent.Extras(
                  context -> {
                    NodePart part =
                        NodePart.start(
                            context,
                            nodeOptions.detectorFlags().reports(),
                            NodeWatch.open(nodeOptions.kmsg(), machine, keepsState),
                            monitors);
                    configuration.whenChanged(this::choice, part::use);
                    return part;
                  },
                  orders(
                      configuration,
                      machine,
                      runtime::socket,
                      evidence ->
                          keepsState // else the socket is another agent's
                              ? Optional.of(
                                  DiagnosePart.open(
                                      servers,
                                      machine.stateFolder(),
                                      nodeOptions.hostRoot(),
                                      evidence))
                              : Optional.empty()),
                  context ->
                      leads
                          .map(settings -> settings.start(context, ControllerPorts.ofMachine()))
                          .orElse(List.of()),
                  nodeOptions.detectorPorts()));
      agent.showMachine(monitors.statistics());
      agent.showMonitors(monitors::invalid);
      return agent;
    } catch (IOException | RuntimeException unable) {
      runtime.close();
      network.close();
      servers.close();
      access.close();
      throw unable;
    }
  }

  /** One collector for people and for orders, as one collection runs at a time (ACT-103). */
  private OrderStart orders(
      LiveConfiguration configuration,
      Machine machine,
      Supplier<Optional<Path>> socket,
      Function<NodeEvidence, Optional<Part>> diagnose) {
    return (api, context, node, engine) -> {
      EvidenceRing ring = AgentParts.ring(machine);
      NodeEvidence evidence =
          AgentParts.ofAgent(machine, nodeOptions.kmsg(), socket, node, engine)
              .keptBy(context.identity(), ring);
      List<Part> parts = new ArrayList<>();
      diagnose.apply(evidence).ifPresent(parts::add);
      if (configuration.now().orders().enabled()) {
        EvidenceUpload store =
            new EvidenceUpload(
                ring,
                context.identity(),
                () -> configuration.now().node().evidence(),
                context.random());
        parts.add(
            OrdersPart.start(
                api,
                context,
                () -> configuration.now().orders(),
                Boot.of(machine.proc(), context.time()).id(),
                NodeActions.on(machine, EvidenceSource.of(evidence, store)),
                store::close));
      }
      return parts;
    };
  }

  private Optional<ControllerSettings> leads(PodNamespace pod) {
    if (!lead) {
      return Optional.empty();
    }
    pod.require();
    return Optional.of(controllerOptions.settings());
  }

  private ClusterAccess access() throws IOException {
    return kubeconfigOption.access(nodeOptions.detectorFlags().kubeconfig());
  }

  private String nodeName() {
    Optional<String> override = nodeOptions.detectorFlags().nodeName();
    if (override.isPresent()) {
      return override.get();
    }
    if (nodeName == null || nodeName.isEmpty()) {
      throw new IllegalArgumentException(
          "the name of this node is unknown: set --node-name, or NODE_NAME in the environment");
    }
    return nodeName;
  }

  private String nodeIp() {
    try {
      return nodeIp == null ? LOOPBACK : InetAddress.ofLiteral(nodeIp).getHostAddress();
    } catch (IllegalArgumentException name) {
      throw new IllegalArgumentException(
          "--node-ip \"" + nodeIp + "\" is not an IP address, such as 10.0.0.7", name);
    }
  }

  private MonitorChoice choice(AgentConfiguration configuration) {
    return nodeOptions.choice(configuration.node().monitors());
  }

  private WatchedMonitors monitors(MonitorChoice choice, PrintWriter err) {
    WatchedMonitors monitors = nodeOptions.read(choice);
    if (monitors.isUnusable()) {
      throw new IllegalArgumentException(
          "invalid monitors\n"
              + monitors.first().problems().stream().map(Object::toString).collect(joining("\n")));
    }
    monitors.first().problems().forEach(err::println);
    err.flush();
    return monitors;
  }
}
