package io.probelet.cli.diagnose;

import io.probelet.agent.config.AgentConfiguration;
import io.probelet.agent.config.ConfigurationFile;
import io.probelet.agent.config.RuntimeChoice;
import io.probelet.agent.config.UploadSettings;
import io.probelet.agent.diagnose.AgentParts;
import io.probelet.agent.diagnose.EvidenceUpload;
import io.probelet.cli.option.ListenAddressConverter;
import io.probelet.cli.status.AgentAddress;
import io.probelet.cli.status.AgentClient;
import io.probelet.health.FailureReason;
import io.probelet.health.SystemClock;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.evidence.EvidenceBundle;
import io.probelet.monitor.evidence.EvidenceStore;
import io.probelet.monitor.rule.LogInput;
import io.probelet.web.api.NodeView;
import io.probelet.web.http.ListenAddress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code probelet diagnose}: collects evidence about this node on request. */
@Command(
    name = "diagnose",
    mixinStandardHelpOptions = true,
    header = "Collect evidence about this node in an archive",
    description =
        "Collects evidence about this node, as the agent does before a remediation: logs, processes,"
            + " disks, pressure, network, conditions, containers and probes. Writes one archive of at"
            + " most 16 MiB within 30 seconds, without secrets, and prints the highlights. The agent"
            + " on this machine collects it, if it responds and no option names other sources.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  probelet diagnose --reason 'node slow since 14:00'",
      "  probelet diagnose --archive bundle.tar.gz",
      "  kubectl -n probelet-system exec POD -- probelet diagnose --host-root=/host --archive - > bundle.tar.gz"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:the archive was written; missing parts are printed",
      " 1:the archive could not be written or uploaded",
      " 2:invalid configuration, or wrong usage"
    })
public final class DiagnoseCommand implements Callable<Integer> {
  private static final int NOT_KEPT = 1;
  private static final int BAD_INPUT = 2;
  private static final int UPLOADED_SECONDS = 90;

  /** Options with which the evidence is of other sources than the agent's. */
  private static final List<String> OWN_SOURCES =
      List.of("--node-name", "--runtime-endpoint", "--kmsg", "--address");

  @Spec private CommandSpec spec;

  @Option(
      names = "--archive",
      paramLabel = "FILE",
      description =
          "Where to write the archive; - is standard output (default: a new file in evidence below"
              + " the agent's state folder, which keeps the newest ten).")
  private @Nullable Path output;

  @Option(
      names = "--upload",
      description =
          "Also upload the archive as evidence.upload in the configuration file says, and wait up"
              + " to 90 seconds for it.")
  private boolean upload;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      defaultValue = DiagnoseByAgent.BY_HAND,
      description = "Reason to note in the archive (default: ${DEFAULT-VALUE}).")
  private String reason;

  @Option(
      names = "--node-name",
      paramLabel = "NAME",
      defaultValue = "${env:NODE_NAME}",
      description = "Name of this node (environment: NODE_NAME; default: its host name).")
  private @Nullable String nodeName;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      defaultValue = "${env:PROBELET_CONFIG}",
      description =
          "The agent's configuration file, for its state folder and runtime (environment:"
              + " PROBELET_CONFIG).")
  private @Nullable Path configFile;

  @Option(
      names = "--runtime-endpoint",
      paramLabel = "SOCKET",
      defaultValue = "${env:PROBELET_RUNTIME_ENDPOINT}",
      description =
          "Socket of the container runtime; auto: that of containerd or CRI-O; none: leave"
              + " containers out (environment: PROBELET_RUNTIME_ENDPOINT).")
  private @Nullable String runtimeEndpoint;

  @Option(
      names = "--host-root",
      paramLabel = "DIR",
      defaultValue = "/",
      description =
          "Where the node's root directory is mounted, when running in a container (default:"
              + " ${DEFAULT-VALUE}).")
  private Path hostRoot;

  @Option(
      names = "--kmsg",
      paramLabel = "PATH",
      description = "File or FIFO to read kernel messages from instead of /dev/kmsg, for trials.")
  private Path kmsg = LogInput.Kmsg.DEVICE;

  @Option(
      names = {"-a", "--address"},
      paramLabel = "HOST:PORT",
      converter = ListenAddressConverter.class,
      description =
          "Address of the agent, for conditions and probes (default: PROBELET_LISTEN, else the"
              + " configuration file, else "
              + ListenAddress.DEFAULT
              + ").")
  private @Nullable ListenAddress address;

  /** Created by the command line. */
  public DiagnoseCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    try {
      DiagnoseByAgent.requireFolder(output);
      AgentConfiguration configuration = configuration();
      OptionalInt ofAgent = byAgent(configuration.node().stateFolder());
      if (ofAgent.isPresent()) {
        return ofAgent.getAsInt();
      }
      Machine machine = machine(configuration);
      String node = node(machine);
      AgentParts parts = parts(configuration, machine);
      if (!upload) {
        return print(parts.keptBy(node, store(machine)).collect(reason));
      }
      UploadSettings settings = configuration.node().evidence();
      if (settings.url().isEmpty()) {
        throw new IllegalArgumentException(
            "--upload needs evidence.upload in the configuration file, see --config");
      }
      try (EvidenceUpload uploaded =
          new EvidenceUpload(store(machine), node, () -> settings, new Random())) {
        int printed = print(parts.keptBy(node, uploaded).collect(reason));
        return uploaded(uploaded, err) ? printed : NOT_KEPT;
      }
    } catch (IOException | IllegalArgumentException unable) {
      err.println("probelet diagnose: " + FailureReason.withFile(unable));
      err.flush();
      return BAD_INPUT;
    }
  }

  /**
   * Has the agent on this machine collect, unless an option names other sources than the agent's
   * (ACT-108).
   *
   * @return the exit code; empty if no agent did
   */
  private OptionalInt byAgent(Path stateFolder) throws InterruptedException {
    ParseResult given = spec.commandLine().getParseResult();
    if (upload || OWN_SOURCES.stream().anyMatch(given::hasMatchedOption)) {
      return OptionalInt.empty();
    }
    Path root = given.hasMatchedOption("--host-root") ? hostRoot : null;
    return new DiagnoseByAgent(reason, root, output)
        .run(stateFolder, spec.commandLine().getOut(), spec.commandLine().getErr());
  }

  private static boolean uploaded(EvidenceUpload upload, PrintWriter err)
      throws InterruptedException {
    String why;
    try {
      why = upload.last().get(UPLOADED_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException late) {
      why = "not finished within " + UPLOADED_SECONDS + " s";
    }
    if (!why.isEmpty()) {
      err.println("probelet diagnose: not uploaded: " + why);
      err.flush();
    }
    return why.isEmpty();
  }

  private Machine machine(AgentConfiguration configuration) {
    return Machine.of(
        hostRoot,
        configuration.node().stateFolder(),
        Optional.empty(),
        SystemClock.INSTANCE,
        new Random());
  }

  private AgentParts parts(AgentConfiguration configuration, Machine machine) {
    RuntimeChoice runtime =
        runtimeEndpoint == null ? configuration.runtime() : RuntimeChoice.parse(runtimeEndpoint);
    AgentClient agent = new AgentClient(AgentAddress.of(address, System.getenv(), configFile));
    return new AgentParts(
        machine,
        kmsg,
        runtime::endpoint,
        () -> agent.node(NodeView.MAX_HISTORY),
        () -> agent.probedAtMost(AgentParts.HISTORY));
  }

  private EvidenceStore store(Machine machine) {
    Path file = output;
    if (file == null) {
      return AgentParts.ring(machine);
    }
    return (_, archive) -> DiagnoseByAgent.write(file, archive);
  }

  private AgentConfiguration configuration() {
    if (configFile == null) {
      return AgentConfiguration.DEFAULT;
    }
    ConfigurationFile.Reading reading = ConfigurationFile.read(configFile);
    if (!reading.problems().isEmpty()) {
      throw new IllegalArgumentException(reading.problems().getFirst().toString());
    }
    return reading.configuration();
  }

  private String node(Machine machine) throws IOException {
    if (nodeName != null && !nodeName.isEmpty()) {
      return nodeName;
    }
    return Files.readString(machine.proc().resolve("sys/kernel/hostname")).strip();
  }

  private int print(EvidenceBundle bundle) {
    PrintWriter out =
        DiagnoseByAgent.STANDARD_OUTPUT.equals(output)
            ? spec.commandLine().getErr()
            : spec.commandLine().getOut();
    return DiagnoseByAgent.print(out, bundle);
  }
}
