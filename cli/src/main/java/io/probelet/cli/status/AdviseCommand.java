package io.probelet.cli.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.cli.advise.AdviceFormat;
import io.probelet.cli.advise.AdvicePatch;
import io.probelet.cli.advise.AdviceText;
import io.probelet.cli.advise.KubeletOptions;
import io.probelet.cli.advise.ManifestMarks;
import io.probelet.cli.advise.ManifestMarks.Marked;
import io.probelet.cli.console.IneffectiveOptions;
import io.probelet.cli.option.DurationConverter;
import io.probelet.cli.option.FleetOptions;
import io.probelet.cli.option.FleetOptions.Fleet;
import io.probelet.cli.validate.SarifReport;
import io.probelet.document.field.Problem;
import io.probelet.fleet.AskedNodes;
import io.probelet.fleet.advise.AdviceGoals;
import io.probelet.fleet.advise.AdviceReport;
import io.probelet.fleet.advise.StatisticsMerge;
import io.probelet.health.FailureReason;
import io.probelet.health.SystemClock;
import io.probelet.manifest.ManifestReader;
import io.probelet.manifest.Manifests;
import io.probelet.manifest.pod.KindCounts;
import io.probelet.manifest.pod.Mode;
import io.probelet.web.api.ViewJson;
import io.probelet.web.statistics.StatisticsView.ContainerStatistics;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code probelet advise}: settings of probes that fit what the probes have seen. */
@Command(
    name = "advise",
    mixinStandardHelpOptions = true,
    header = "Propose probe settings from what probes have seen",
    description =
        "Proposes settings of probes from the latencies, outcomes and start-up times that agents"
            + " have recorded for days, by workload. Changes nothing.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  probelet advise                       everything a running agent probes",
      "  probelet advise --cluster -n shop     workloads of a namespace, over all nodes",
      "  probelet advise --cluster -o patch    strategic merge patches to review",
      "  probelet advise --cluster --against examples/web.yaml -o sarif"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:nothing is proposed",
      " 1:something is proposed",
      " 2:no agent answers, not everything could be read, there is no such pod, or wrong usage"
    })
public final class AdviseCommand implements Callable<Integer> {
  private static final int OK = 0;
  private static final int PROPOSED = 1;
  private static final int UNKNOWN = 2;
  private static final Duration LONGEST_HANG = Duration.ofHours(1);

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "POD",
      description = "Judge only this pod; also NAMESPACE/POD or POD/CONTAINER.")
  private @Nullable String pod;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description =
          "Judge only pods of this namespace (default: all namespaces); with --prometheus, the"
              + " namespace of the manifests' pods.")
  private @Nullable String namespace;

  @Option(
      names = "--cluster",
      description =
          "Ask the agents of all nodes, up to 1,000, with your kubeconfig, and merge by workload.")
  private boolean cluster;

  @Option(
      names = "--max-hang",
      paramLabel = "DURATION",
      defaultValue = "1m",
      converter = HangConverter.class,
      description =
          "How long a container may hang until a probe finds it, 1s to 1h (default:"
              + " ${DEFAULT-VALUE}).")
  private Duration maxHang;

  @Option(
      names = "--against",
      paramLabel = "MANIFEST",
      description =
          "Show proposals at the lines of this manifest file; may be repeated. Workloads that it"
              + " does not have are left out. With --prometheus its probes are judged.")
  private List<Path> manifests = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      converter = AdviceFormat.Converter.class,
      description =
          "text, json, sarif (with --against) or patch, for strategic merge patches (default:"
              + " ${DEFAULT-VALUE}).")
  private AdviceFormat output;

  @Mixin private AddressOption agent = new AddressOption();
  @Mixin private FleetOptions fleetOptions = new FleetOptions();
  @Mixin private KubeletOptions kubelets = new KubeletOptions();

  /** Created by the command line. */
  public AdviseCommand() {}

  /** Reads how long a hang may last. */
  static final class HangConverter extends DurationConverter {
    HangConverter() {
      super(
          hang -> hang.compareTo(Duration.ofSeconds(1)) >= 0 && hang.compareTo(LONGEST_HANG) <= 0,
          "is not from 1s to 1h");
    }
  }

  @Override
  public Integer call() throws InterruptedException, JsonProcessingException {
    refuseIneffective();
    try {
      if (kubelets.isGiven()) {
        return ofKubelets();
      }
      ContainerName name = pod == null ? null : ContainerName.parse(pod);
      StatisticsMerge merge = new StatisticsMerge(each -> isWanted(each, name));
      AdviceGoals goals = new AdviceGoals(maxHang);
      AdviceReport report = cluster ? ofCluster(merge, goals) : ofAgent(merge, goals);
      if (report.containers().isEmpty() && name != null) {
        return failed("no probes of " + name + " are known; `probelet status` lists all pods");
      }
      return manifests.isEmpty() ? show(report) : mark(report);
    } catch (IOException | IllegalArgumentException | KubernetesClientException unable) {
      return failed(FailureReason.withFile(unable));
    }
  }

  private void refuseIneffective() {
    FleetOptions.check(spec, cluster, agent.namesAddress());
    if (kubelets.isGiven()) {
      refuseWithPrometheus();
      return;
    }
    IneffectiveOptions.refuse(spec, "without --prometheus", KubeletOptions.FURTHER);
    if (output == AdviceFormat.SARIF && manifests.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "-o sarif marks lines of manifests: name them with --against.");
    }
    if (output == AdviceFormat.PATCH && !manifests.isEmpty()) {
      IneffectiveOptions.refuse(spec, "with -o patch", List.of("--against"));
    }
  }

  private void refuseWithPrometheus() {
    if (manifests.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--prometheus does not have the settings of probes: name manifests with --against.");
    }
    if (pod != null) {
      throw new ParameterException(
          spec.commandLine(), "a pod has no effect with --prometheus: the manifests choose.");
    }
    IneffectiveOptions.refuse(spec, "with --prometheus", List.of("--cluster", "--address"));
  }

  /** Manifests have the settings, and Prometheus what kubelets have measured with them. */
  private int ofKubelets() throws IOException, InterruptedException {
    Manifests read = ManifestReader.read(manifests, Mode.PROBES_ONLY);
    if (read.hasErrors()) {
      PrintWriter err = spec.commandLine().getErr();
      read.problems().stream().filter(Problem::isError).forEach(err::println);
      err.flush();
      return UNKNOWN;
    }
    AdviceReport report =
        AdviceReport.ofPrometheus(
            kubelets.evidence(read.pods(), namespace, SystemClock.INSTANCE.wallTime()),
            new AdviceGoals(maxHang));
    return output == AdviceFormat.SARIF ? mark(report) : show(report);
  }

  private boolean isWanted(ContainerStatistics each, @Nullable ContainerName name) {
    return (namespace == null || namespace.equals(each.namespace()))
        && (name == null || name.matches(each.namespace(), each.pod(), each.container()));
  }

  private AdviceReport ofAgent(StatisticsMerge merge, AdviceGoals goals) throws IOException {
    merge.add("this node", agent.client().statistics());
    return AdviceReport.of(merge, goals, null);
  }

  private AdviceReport ofCluster(StatisticsMerge merge, AdviceGoals goals)
      throws IOException, InterruptedException {
    try (Fleet fleet = fleetOptions.open()) {
      AskedNodes answered = AskedNodes.ask(fleet.nodes(), fleet.agent()::statistics, merge::add);
      if (answered.unanswered().size() == answered.asked()) {
        throw new IOException(
            answered.asked() == 0
                ? "the cluster has no nodes, or they cannot be listed"
                : "no agent of %d nodes answered; the first: %s: %s"
                    .formatted(
                        answered.asked(),
                        answered.unanswered().getFirst().node(),
                        answered.unanswered().getFirst().why()));
      }
      return AdviceReport.of(merge, goals, answered);
    }
  }

  private int show(AdviceReport report) {
    PrintWriter out = spec.commandLine().getOut();
    switch (output) {
      case JSON -> out.println(ViewJson.write(report));
      case PATCH -> AdvicePatch.of(report).forEach(out::println);
      case TEXT, SARIF -> AdviceText.of(report).forEach(out::println);
    }
    out.flush();
    return exitCode(report, report.hasProposals());
  }

  private static int exitCode(AdviceReport report, boolean proposed) {
    if (proposed) {
      return PROPOSED;
    }
    return report.isComplete() ? OK : UNKNOWN;
  }

  private int mark(AdviceReport report) throws JsonProcessingException {
    List<Problem> problems = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    int workloads = 0;
    boolean readable = true;
    for (Path file : manifests) {
      Marked marked = ManifestMarks.of(file, report);
      problems.addAll(marked.problems());
      notes.addAll(marked.notes());
      workloads += marked.workloads();
      readable &= marked.isReadable();
    }
    PrintWriter out = spec.commandLine().getOut();
    Manifests marks = new Manifests(List.of(), problems, KindCounts.NONE, KindCounts.NONE);
    switch (output) {
      case SARIF ->
          out.println(
              SarifReport.write(
                  marks, AdviseCommand.class.getPackage().getImplementationVersion()));
      case JSON -> out.println(ViewJson.write(marks.problems()));
      case TEXT, PATCH -> {
        marks.problems().forEach(out::println);
        notes.forEach(out::println);
        out.println(
            "%d of %d containers with statistics are in the manifests"
                .formatted(workloads, report.containers().size()));
      }
    }
    out.flush();
    if (!readable) {
      return UNKNOWN;
    }
    return exitCode(report, problems.stream().anyMatch(problem -> !problem.isError()));
  }

  private int failed(String why) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("probelet advise: " + why);
    err.flush();
    return UNKNOWN;
  }
}
