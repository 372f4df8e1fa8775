package io.probelet.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.cli.console.IneffectiveOptions;
import io.probelet.cli.option.DurationConverter;
import io.probelet.health.FailureReason;
import io.probelet.nodehealth.simulation.Simulation;
import io.probelet.nodehealth.simulation.Timeline;
import io.probelet.rehearsal.simulate.SimulationInput;
import io.probelet.rehearsal.simulate.TimelineJson;
import io.probelet.rehearsal.simulate.TimelineSvg;
import io.probelet.rehearsal.simulate.TimelineTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code probelet simulate}: plays node events against NodeHealthChecks, on virtual time. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    header = "Play node failures against NodeHealthChecks",
    description =
        "Plays node events against NodeHealthChecks in virtual time and prints the remediations"
            + " with their reasons. With a recorded tape, compares NodeHealthChecks. Needs no"
            + " cluster.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  probelet simulate --nhc storm-nhc.yaml --scenario storm-scenario.yaml",
      "  probelet simulate --nhc today.yaml --nhc proposed.yaml --tape tape.jsonl"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {" 0:played", " 2:an error in a file, or wrong usage"})
final class SimulateCommand implements Callable<Integer> {
  private static final int OK = 0;
  private static final int BAD_INPUT = 2;
  private static final Duration LONGEST = Duration.ofDays(366);

  @Spec private CommandSpec spec;

  @Option(
      names = "--nhc",
      paramLabel = "FILE",
      description = "NodeHealthChecks; with --tape several files are compared.")
  private List<Path> checks = List.of();

  @Option(
      names = "--templates",
      paramLabel = "FILE",
      description = "Remediation templates; without any, every template is assumed to exist.")
  private List<Path> templates = List.of();

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      description = "RemediationPolicies and Maintenances, in addition to those in the --nhc file.")
  private List<Path> policies = List.of();

  @Option(
      names = "--scenario",
      paramLabel = "FILE",
      description = "Node events to play; see docs/how-to/simulate.md.")
  private @Nullable Path scenario;

  @Option(
      names = "--tape",
      paramLabel = "FILE",
      description = "Tape of a cluster's node events; see docs/how-to/tape.md.")
  private @Nullable Path tape;

  @Option(
      names = "--heals-after",
      paramLabel = "DURATION",
      defaultValue = "5m",
      converter = SpanConverter.class,
      description =
          "With --tape: assumed time until a remediation makes its node healthy (default:"
              + " ${DEFAULT-VALUE}).")
  private Duration healsAfter;

  @Option(
      names = "--until",
      paramLabel = "DURATION",
      defaultValue = "2h",
      converter = SpanConverter.class,
      description = "How long to play (default: ${DEFAULT-VALUE}).")
  private Duration until;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      converter = FormatConverter.class,
      description = "table or json (default: ${DEFAULT-VALUE}).")
  private Format output;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "Also draw the timeline to this file.")
  private @Nullable Path svg;

  /** How the timeline is printed. */
  enum Format {
    TABLE,
    JSON
  }

  @Override
  public Integer call() throws JsonProcessingException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Path events = scenario;
    if ((events == null) == (tape == null)) {
      throw new ParameterException(spec.commandLine(), "Give one of --scenario and --tape.");
    }
    if (events == null) {
      IneffectiveOptions.refuse(spec, "with --tape", List.of("--svg", "--until"));
      return new TapeSimulation(out, err)
          .run(
              Objects.requireNonNull(tape),
              checks,
              templates,
              policies,
              healsAfter,
              output == Format.JSON);
    }
    IneffectiveOptions.refuse(spec, "with --scenario", List.of("--heals-after"));
    if (checks.size() != 1) {
      throw new ParameterException(
          spec.commandLine(), "With --scenario give --nhc once; a tape compares several.");
    }
    SimulationInput input = SimulationInput.read(checks.getFirst(), templates, policies, events);
    input.problems().forEach(err::println);
    err.flush();
    if (input.hasErrors()) {
      return BAD_INPUT;
    }
    Timeline timeline =
        Simulation.run(
            input.scenario(),
            input.checks(),
            input.templates(),
            input.policies(),
            input.maintenances(),
            until);
    switch (output) {
      case TABLE -> out.print(TimelineTable.print(timeline));
      case JSON ->
          out.println(
              new ObjectMapper()
                  .writerWithDefaultPrettyPrinter()
                  .writeValueAsString(TimelineJson.print(timeline)));
    }
    out.flush();
    return svg == null ? OK : draw(timeline, svg, err);
  }

  private static int draw(Timeline timeline, Path file, PrintWriter err) {
    try {
      Files.writeString(file, TimelineSvg.draw(timeline));
      return OK;
    } catch (NoSuchFileException e) {
      err.println(file + ": cannot be written: its folder does not exist");
      err.flush();
      return BAD_INPUT;
    } catch (IOException e) {
      err.println(file + ": cannot be written: " + FailureReason.of(e));
      err.flush();
      return BAD_INPUT;
    }
  }

  static final class SpanConverter extends DurationConverter {
    SpanConverter() {
      super(
          duration -> !duration.isNegative() && duration.compareTo(LONGEST) <= 0,
          "is out of range: 0s to 8784h");
    }
  }

  static final class FormatConverter implements ITypeConverter<Format> {
    @Override
    public Format convert(String word) {
      return switch (word) {
        case "table" -> Format.TABLE;
        case "json" -> Format.JSON;
        default ->
            throw new TypeConversionException("\"" + word + "\" is not allowed; use table or json");
      };
    }
  }
}
