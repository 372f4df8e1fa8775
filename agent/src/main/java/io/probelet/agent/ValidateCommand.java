package io.probelet.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.agent.config.ConfigurationFile;
import io.probelet.document.field.Problem;
import io.probelet.manifest.ManifestReader;
import io.probelet.manifest.Manifests;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.pod.PodSource;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code probelet validate}: reads manifests, reports every problem, runs nothing. */
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    description = "Checks manifests and reports every problem, without running anything.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {" 0:no errors; there may be warnings", " 2:an error, or wrong usage"})
final class ValidateCommand implements Callable<Integer> {
  private static final int OK = 0;
  private static final int BAD_INPUT = 2;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "PATH",
      description = "Manifest files, or directories with *.yaml, *.yml and *.json files.")
  private List<Path> paths;

  @Option(
      names = "--output",
      paramLabel = "FORMAT",
      defaultValue = "text",
      converter = OutputFormat.Converter.class,
      description = "text or json (default: ${DEFAULT-VALUE}).")
  private OutputFormat output;

  @Option(
      names = "--probes-only",
      description =
          "Check for a cluster rather than for `probelet run`: images without a command and"
              + " valueFrom are accepted, and annotations may say what an agent without a policy"
              + " allows.")
  private boolean probesOnly;

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      description =
          "Configuration file of the agents, whose policy for annotations is applied."
              + " Implies --probes-only.")
  private @Nullable Path policy;

  @Override
  public Integer call() throws JsonProcessingException {
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
    Manifests manifests =
        probesOnly || policy != null
            ? ManifestReader.read(paths, Mode.PROBES_ONLY, agents.configuration().podRules())
            : ManifestReader.read(paths, Mode.STANDALONE_PROCESS);
    switch (output) {
      case TEXT -> printText(manifests, out);
      case JSON -> printJson(manifests, out);
    }
    out.flush();
    return manifests.hasErrors() ? BAD_INPUT : OK;
  }

  private static void printText(Manifests manifests, PrintWriter out) {
    manifests.problems().forEach(out::println);
    long errors = manifests.problems().stream().filter(Problem::isError).count();
    long warnings = manifests.problems().size() - errors;
    out.printf(
        "%s, %s, %s%n",
        counted(manifests.pods().size(), "pod"),
        counted(probes(manifests), "probe"),
        errors + warnings == 0
            ? "no problems"
            : counted(errors, "error") + ", " + counted(warnings, "warning"));
  }

  private static String counted(long number, String word) {
    return number + " " + word + (number == 1 ? "" : "s");
  }

  private static int probes(Manifests manifests) {
    return manifests.pods().stream().mapToInt(PodSource::probeCount).sum();
  }

  private static void printJson(Manifests manifests, PrintWriter out)
      throws JsonProcessingException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode report = mapper.createObjectNode();
    report.put("pods", manifests.pods().size());
    report.put("probes", probes(manifests));
    ArrayNode problems = report.putArray("problems");
    for (Problem problem : manifests.problems()) {
      ObjectNode one = problems.addObject();
      one.put("file", problem.origin());
      if (problem.document() > 0) {
        one.put("document", problem.document());
      }
      if (problem.at() != null) {
        one.put("line", problem.at().line());
        one.put("column", problem.at().column());
      }
      one.put("severity", problem.severity().word());
      one.put("field", problem.field());
      one.put("message", problem.message());
    }
    out.println(mapper.writerWithDefaultPrettyPrinter().writeValueAsString(report));
  }
}
