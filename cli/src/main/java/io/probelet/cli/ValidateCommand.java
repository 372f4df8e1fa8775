package io.probelet.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.agent.config.ConfigurationDocuments;
import io.probelet.agent.config.ConfigurationFile;
import io.probelet.agent.node.SystemStatsDocuments;
import io.probelet.cli.validate.JsonReport;
import io.probelet.cli.validate.SarifReport;
import io.probelet.cli.validate.TextReport;
import io.probelet.manifest.ManifestReader;
import io.probelet.manifest.Manifests;
import io.probelet.manifest.pod.KindlessReader;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.pod.Purpose;
import io.probelet.manifest.pod.Purpose.Use;
import io.probelet.manifest.policy.PodRules;
import io.probelet.rehearsal.simulate.ScenarioDocuments;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code probelet validate}: checks manifests and all other input files; runs nothing. */
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    header = "Check manifests and configuration files",
    description =
        "Checks manifests and all other files that Probelet reads, and reports every problem. Runs"
            + " nothing.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  probelet validate pod.yaml examples/",
      "  probelet validate --advise --probes-only pod.yaml",
      "  kubectl get deploy web -o yaml | probelet validate -",
      "  probelet validate -o sarif manifests/ > probelet.sarif"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {" 0:no errors; there may be warnings", " 2:an error, or wrong usage"})
final class ValidateCommand implements Callable<Integer> {
  private static final int OK = 0;
  private static final int BAD_INPUT = 2;

  /** Readers of documents that have no kind, other than monitor files. */
  private static final List<KindlessReader> KINDLESS =
      List.of(new ConfigurationDocuments(), new ScenarioDocuments(), new SystemStatsDocuments());

  private final InputStream in;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "PATH",
      description =
          "Manifest files, directories with *.yaml, *.yml and *.json files, or - for standard input,"
              + " whose Pods are checked for a cluster.")
  private List<Path> paths;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      converter = OutputFormat.Converter.class,
      description = "text, json or sarif (default: ${DEFAULT-VALUE}).")
  private OutputFormat output;

  @Option(
      names = "--probes-only",
      description =
          "Check Pods for a cluster, not for `probelet run`: accept images without a command,"
              + " valueFrom, and the annotations that an agent without a policy allows.")
  private boolean probesOnly;

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      description =
          "Apply the annotation policy of this agent configuration file. Implies --probes-only.")
  private @Nullable Path policy;

  @Option(
      names = "--advise",
      description =
          "Also give advice on probes that are valid but rarely intended. Advice does not change the"
              + " exit code.")
  private boolean advise;

  @Option(
      names = "--system-pod-labels",
      paramLabel = "KEY=VALUE",
      split = ",",
      description =
          "Labels that all system pods of the cluster carry. A webhook whose objectSelector"
              + " requires a label is reported only if they have it.")
  private Map<String, String> systemPodLabels = new LinkedHashMap<>();

  /** Created by the command line. */
  ValidateCommand() {
    this(System.in);
  }

  ValidateCommand(InputStream in) {
    this.in = in;
  }

  @Override
  public Integer call() throws JsonProcessingException {
    if (paths.stream().filter(Path.of("-")::equals).count() > 1) {
      throw new ParameterException(
          spec.commandLine(), "- is given twice; standard input can be read only once.");
    }
    PrintWriter out = spec.commandLine().getOut();
    ConfigurationFile.Reading agents =
        policy == null
            ? new ConfigurationFile.Reading(AgentConfiguration.DEFAULT, List.of())
            : ConfigurationFile.read(policy);
    if (!agents.problems().isEmpty()) {
      PrintWriter err = spec.commandLine().getErr();
      agents.problems().forEach(err::println);
      err.flush();
      return BAD_INPUT;
    }
    Manifests manifests = ManifestReader.read(paths, purpose(agents.configuration()), in);
    switch (output) {
      case TEXT -> TextReport.print(manifests, out);
      case JSON -> out.println(JsonReport.write(manifests));
      case SARIF ->
          out.println(
              SarifReport.write(manifests, Probelet.class.getPackage().getImplementationVersion()));
    }
    out.flush();
    return manifests.hasErrors() ? BAD_INPUT : OK;
  }

  /** Workloads are checked for a cluster; Pods, unless an option says otherwise, for `run`. */
  private Purpose purpose(AgentConfiguration agents) {
    Use cluster = new Use(Mode.PROBES_ONLY, agents.podRules());
    Use here = new Use(Mode.STANDALONE_PROCESS, PodRules.LOCAL);
    return new Purpose(
        probesOnly || policy != null ? cluster : here,
        cluster,
        KINDLESS,
        false,
        advise,
        systemPodLabels);
  }
}
