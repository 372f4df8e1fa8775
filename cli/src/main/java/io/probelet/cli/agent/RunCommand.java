package io.probelet.cli.agent;

import io.probelet.agent.config.NodeSettings;
import io.probelet.agent.config.StateFolder;
import io.probelet.agent.config.StateLock;
import io.probelet.agent.node.CriRuntimeStatus;
import io.probelet.agent.node.NodeWatch;
import io.probelet.agent.node.WatchedMonitors;
import io.probelet.agent.run.AgentRun;
import io.probelet.cli.console.EndSignal;
import io.probelet.cli.console.IneffectiveOptions;
import io.probelet.cli.console.Logging;
import io.probelet.cli.console.ProbeLogOptions;
import io.probelet.cli.option.DurationConverter;
import io.probelet.cli.option.ListenAddressConverter;
import io.probelet.health.FailureReason;
import io.probelet.health.GoDuration;
import io.probelet.health.PrivateFiles;
import io.probelet.health.RetryBackoff;
import io.probelet.health.SystemClock;
import io.probelet.manifest.ManifestFolder;
import io.probelet.manifest.Manifests;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.policy.ProbeAgent;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.check.RuntimeQuery;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.runtime.cri.CriEndpoint;
import io.probelet.runtime.process.BackOff;
import io.probelet.runtime.process.LogFolder;
import io.probelet.web.http.ListenAddress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code probelet run}: runs, probes and restarts the pods of manifests. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    header = "Run pods as local processes, probe and restart them",
    description =
        "Runs the containers of Pods and workloads as local processes, probes them as the kubelet"
            + " does, and restarts those that fail. With --runtime cri it probes and stops the"
            + " containers of a container runtime instead. Folders are watched: adding, changing or"
            + " removing a manifest starts, replaces or ends its pod. An invalid manifest in a folder"
            + " is skipped and reported. Ctrl-C ends local pods within their grace periods.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  probelet run examples/web.yaml",
      "  probelet run /etc/probelet/pods/           a folder, watched for changes",
      "  probelet run --runtime cri pods/           pods of containerd or CRI-O",
      "  probelet run --probe-socket /run/probelet.sock    pods of a virtual kubelet",
      "",
      "Then, in another terminal: probelet status, probelet logs POD"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:ended by Ctrl-C or TERM",
      " 2:a named path is not a valid manifest, or wrong usage"
    })
public final class RunCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);

  private static final int OK = 0;
  private static final int BAD_INPUT = 2;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "PATH",
      description =
          "Manifest files, or directories with *.yaml, *.yml and *.json files. Required, unless"
              + " there is a --probe-socket, or options name monitor files of"
              + " node-problem-detector.")
  private List<Path> paths = List.of();

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = ListenAddress.DEFAULT,
      converter = ListenAddressConverter.class,
      description = "Address for status, API and metrics (default: ${DEFAULT-VALUE}).")
  private ListenAddress listen;

  @Option(
      names = "--probe-socket",
      paramLabel = "PATH",
      description =
          "Also probe pods that clients hand over on this Unix socket, such as a virtual kubelet."
              + " Only this user and root can use it.")
  private @Nullable Path probeSocket;

  @Option(
      names = "--runtime",
      paramLabel = "RUNTIME",
      defaultValue = "process",
      description =
          "process: run the containers as local processes; cri: probe the pods with the manifests'"
              + " namespaces and names that a container runtime runs (default: ${DEFAULT-VALUE}).")
  private RuntimeKind runtime;

  @Option(
      names = "--runtime-endpoint",
      paramLabel = "SOCKET",
      description = "Socket of the container runtime (default: that of containerd or CRI-O).")
  private @Nullable String runtimeEndpoint;

  @Option(
      names = "--max-execs",
      paramLabel = "COUNT",
      defaultValue = "16",
      description =
          "With --runtime cri: maximum number of concurrent exec probes (default:"
              + " ${DEFAULT-VALUE}).")
  private int maxExecs;

  @Option(
      names = "--user-agent",
      paramLabel = "NAME",
      defaultValue = "kube-probe",
      converter = ProbeAgentConverter.class,
      description =
          "User-Agent of HTTP and gRPC probes: kube-probe or probelet (default:"
              + " ${DEFAULT-VALUE}).")
  private ProbeAgent userAgent;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description =
          "Directory for state that survives a restart; each Probelet needs its own (default:"
              + " ~/.local/state/probelet, or below $XDG_STATE_HOME).")
  private Path stateDir = StateFolder.of(System.getenv());

  @Option(
      names = "--log-dir",
      paramLabel = "DIR",
      description =
          "Directory for the containers' output, one file each (default: logs in the state"
              + " directory).")
  private @Nullable Path logDir;

  private Path logs = LogFolder.below(stateDir).path();

  @Option(
      names = "--back-off",
      paramLabel = "DURATION",
      defaultValue = "10s",
      converter = DelayConverter.class,
      description =
          "Delay before the second restart in a row; doubles with each further one (default:"
              + " ${DEFAULT-VALUE}).")
  private Duration backOff;

  @Option(
      names = "--back-off-max",
      paramLabel = "DURATION",
      defaultValue = "5m",
      converter = DelayConverter.class,
      description = "Maximum delay before a restart (default: ${DEFAULT-VALUE}).")
  private Duration backOffMax;

  @Option(
      names = "--back-off-reset",
      paramLabel = "DURATION",
      defaultValue = "10m",
      converter = DelayConverter.class,
      description =
          "A container that has run this long restarts without delay (default:"
              + " ${DEFAULT-VALUE}).")
  private Duration backOffReset;

  @Option(
      names = "--throttle-hold",
      paramLabel = "DURATION",
      defaultValue = "2m",
      converter = HoldConverter.class,
      description =
          "Longest total delay of a restart while the container's own CPU limit throttles it;"
              + " 0s to 1h, 0s turns the delay off (default: ${DEFAULT-VALUE}).")
  private Duration throttleHold;

  @Mixin private ProbeLogOptions logOptions = new ProbeLogOptions();
  @Mixin private NodeOptions nodeOptions = new NodeOptions();

  /** Created by the command line. */
  public RunCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    refuseIneffective();
    PrintWriter err = spec.commandLine().getErr();
    StrayWords words = StrayWords.of(paths, nodeOptions.isDetectorCommandLine());
    if (paths.isEmpty() && probeSocket == null && !nodeOptions.isDetectorCommandLine()) {
      throw new MissingParameterException(
          spec.commandLine(),
          spec.positionalParameters().getFirst(),
          "name a manifest file or a directory of manifests");
    }
    words.warnings().forEach(each -> err.println("probelet run: " + each));
    ManifestFolder manifests =
        new ManifestFolder(
            words.paths(),
            runtime == RuntimeKind.CRI ? Mode.PROBES_ONLY : Mode.STANDALONE_PROCESS,
            SystemClock.INSTANCE);
    Manifests first = manifests.first();
    first.problems().forEach(err::println);
    if (runtime == RuntimeKind.CRI) {
      unnamed(first).forEach(err::println);
    }
    err.flush();
    if (manifests.namedPathIsInvalid()) {
      return BAD_INPUT; // a named file must be valid; invalid files of a folder are skipped
    }
    Optional<RuntimeQuery> runtimeQuery;
    try {
      runtimeQuery =
          endpoint()
              .map(socket ->
                  new CriRuntimeStatus(
                      () -> Optional.of(socket))); // also watched with --runtime process
    } catch (IllegalArgumentException wrong) {
      err.println("probelet run: " + wrong.getMessage());
      err.flush();
      return BAD_INPUT;
    }
    Machine machine = nodeOptions.machine(stateDir, runtimeQuery);
    WatchedMonitors monitors = nodeOptions.read(nodeOptions.choice(List.of(NodeSettings.BUILT_IN)));
    monitors.first().problems().forEach(err::println);
    nodeOptions.warnings(spec, false).forEach(each -> err.println("probelet run: " + each));
    err.flush();
    if (monitors.isUnusable()) {
      return BAD_INPUT;
    }
    EndSignal end = EndSignal.install();
    try (Logging logging = logOptions.open();
        StateLock state = lockState();
        StateLock _ = lockLogs();
        AgentRun run = parts().start(manifests, state.isHeld());
        NodeWatch _ =
            NodeWatch.start(nodeOptions.kmsg(), monitors, machine, state.isHeld(), run::showNode)) {
      logging.addTo(run.metrics().registry());
      monitors.addTo(run.metrics().registry());
      run.showMonitors(monitors::invalid);
      run.metrics().machine(monitors.statistics());
      if (nodeOptions.detectorPorts().isPresent()) {
        run.serve(nodeOptions.detectorPorts().get());
      }
      end.await();
    } catch (IOException | ContainerRuntimeException | IllegalArgumentException unable) {
      err.println("probelet run: " + FailureReason.withFile(unable));
      err.flush();
      return BAD_INPUT;
    } finally {
      end.ended();
    }
    return OK;
  }

  private void refuseIneffective() {
    if (stateDir.toString().isEmpty()) {
      throw new ParameterException(spec.commandLine(), "--state-dir is empty; name a directory.");
    }
    nodeOptions
        .contradiction()
        .ifPresent(text -> {
          throw new ParameterException(spec.commandLine(), text);
        });
    switch (runtime) {
      case PROCESS -> {
        IneffectiveOptions.refuse(spec, "without --runtime cri", List.of("--max-execs"));
        if (backOff.compareTo(backOffMax) > 0) {
          throw new ParameterException(
              spec.commandLine(),
              "--back-off %s is longer than --back-off-max %s."
                  .formatted(GoDuration.format(backOff), GoDuration.format(backOffMax)));
        }
        if (nodeOptions.watchesNothing(List.of(NodeSettings.BUILT_IN))) {
          IneffectiveOptions.refuse(
              spec, "without --runtime cri and without monitors", List.of("--runtime-endpoint"));
        }
      }
      case CRI ->
          IneffectiveOptions.refuse(
              spec,
              "with --runtime cri, which starts no containers",
              List.of("--log-dir", "--back-off", "--back-off-max", "--back-off-reset"));
    }
    if (nodeOptions.watchesNothing(List.of(NodeSettings.BUILT_IN))) {
      IneffectiveOptions.refuse(spec, "without monitors", List.of("--kmsg", "--host-root"));
    }
  }

  /** A trial keeps no state and may run beside a real Probelet. */
  private StateLock lockState() throws IOException {
    if (nodeOptions.isTrial()) {
      LOG.info("trial, node state is not saved kmsg={}", nodeOptions.kmsg());
      return StateLock.none();
    }
    return StateLock.take(stateDir, "--state-dir");
  }

  /** Two Probelets with one log folder would mix their lines and rotate each other's files. */
  private StateLock lockLogs() throws IOException {
    if (runtime == RuntimeKind.CRI) {
      return StateLock.none();
    }
    if (logDir == null && nodeOptions.isTrial()) {
      logs = Files.createTempDirectory("probelet-trial-logs-");
      LOG.info("trial, container logs are in a temporary folder logs={}", logs);
      return StateLock.none();
    }
    logs = logDir == null ? LogFolder.below(stateDir).path() : logDir;
    try {
      PrivateFiles.createFolders(logs);
    } catch (IOException unable) {
      throw new IOException(
          "--log-dir " + logs + " cannot be created: " + FailureReason.of(unable), unable);
    }
    return StateLock.take("log folder", logs, "--log-dir");
  }

  /**
   * The cluster generates the names of most workloads' pods; a runtime's pods are found by name.
   */
  private static List<String> unnamed(Manifests manifests) {
    return manifests.pods().stream()
        .filter(pod -> !List.of("Pod", "StatefulSet").contains(pod.kind()))
        .map(pod ->
            "%s:%s: warning: pods of the %s %s are not found in a container runtime: the cluster generates their names"
                .formatted(pod.file(), pod.at(), pod.kind(), pod.ref()))
        .toList();
  }

  private Optional<Path> endpoint() {
    return runtimeEndpoint != null
        ? Optional.of(CriEndpoint.parse(runtimeEndpoint))
        : CriEndpoint.find();
  }

  private RunParts parts() {
    return new RunParts(
        runtime,
        endpoint(),
        nodeOptions.hostRoot(),
        maxExecs,
        stateDir,
        logs,
        new BackOff(RetryBackoff.doubling(backOff, backOffMax), backOffReset),
        listen,
        userAgent,
        throttleHold,
        nodeOptions.isTrial(),
        Optional.ofNullable(probeSocket));
  }

  /** What runs the containers. */
  enum RuntimeKind {
    /** This program, as local processes. */
    PROCESS,
    /** A container runtime. */
    CRI
  }

  private static final class ProbeAgentConverter implements ITypeConverter<ProbeAgent> {
    @Override
    public ProbeAgent convert(String text) {
      return ProbeAgent.of(text)
          .orElseThrow(() ->
              new TypeConversionException(
                  "\""
                      + text
                      + "\" is not allowed; use "
                      + String.join(" or ", ProbeAgent.words())));
    }
  }

  private static final class HoldConverter extends DurationConverter {
    HoldConverter() {
      super(
          hold -> !hold.isNegative() && hold.compareTo(ProbeSpec.LONGEST_THROTTLE_HOLD) <= 0,
          "is not from 0s to 1h");
    }
  }

  private static final class DelayConverter extends DurationConverter {
    DelayConverter() {
      super(Duration::isPositive, "is not longer than zero");
    }
  }
}
