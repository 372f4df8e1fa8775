package io.probelet.simulation;

import io.probelet.simulation.WorldSettings.Size;
import io.probelet.simulation.faults.FaultKind;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs simulated clusters, each under the faults of its seed, and reports what breaks a rule. */
@Command(
    name = "scripts/simulate-faults",
    mixinStandardHelpOptions = true,
    description =
        "Runs whole clusters in virtual time, each under the faults that its seed draws, and checks"
            + " what must always hold. Exits with 1 if a rule is broken.")
public final class SimulateFaults implements Callable<Integer> {
  @Option(names = "--seed", description = "The first seed (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  @Option(names = "--seeds", description = "How many seeds to run (default: ${DEFAULT-VALUE}).")
  int seeds = 1;

  @Option(
      names = "--hours",
      description = "Virtual hours in which faults come, at most (default: ${DEFAULT-VALUE}).")
  double hours = 1;

  @Option(names = "--nodes", description = "Nodes of each cluster (default: drawn by the seed).")
  @Nullable Integer nodes;

  @Option(
      names = "--size",
      description =
          "How large the worlds are: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}). Faults"
              + " come for 2 to 8 minutes in a small one.")
  Size size = Size.ANY;

  @Option(
      names = "--only",
      split = ",",
      description = "Kinds of faults that may come (default: all). An unknown one lists them.")
  List<String> only = List.of();

  @Option(names = "--jobs", description = "How many JVMs to use (default: ${DEFAULT-VALUE}).")
  int jobs = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--lines",
      description = "Lines of the trace to print; 0 for all (default: ${DEFAULT-VALUE}).")
  int lines = 200;

  @Option(
      names = "--shrink",
      description =
          "How many worlds to try for fewer faults that break the same rule"
              + " (default: ${DEFAULT-VALUE}).")
  int shrink = 150;

  @Option(names = "--trace", description = "Print the trace of each seed, broken or not.")
  boolean trace;

  @Option(names = "--first", description = "Stop at the first seed that breaks a rule.")
  boolean first;

  @Option(names = "--coverage", description = "Report what was reached, and what never was.")
  boolean coverage;

  @Option(names = "--part", hidden = true, description = "Print counts for the process above.")
  boolean part;

  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);

  private SimulateFaults() {}

  /** Runs the tool. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new SimulateFaults())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Set<FaultKind> kinds =
        only.isEmpty()
            ? EnumSet.allOf(FaultKind.class)
            : only.stream()
                .map(this::kind)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(FaultKind.class)));
    Totals totals = new Totals();
    if (jobs > 1 && seeds > 1 && !part) {
      inParts(totals);
    } else {
      run(kinds, totals);
    }
    if (part) {
      totals.lines().forEach(out::println);
    } else {
      totals.print(coverage, out);
    }
    return totals.failed() > 0 ? 1 : 0;
  }

  private FaultKind kind(String label) {
    try {
      return FaultKind.parse(label);
    } catch (IllegalArgumentException unknown) {
      throw new CommandLine.ParameterException(
          new CommandLine(this), "--only: " + unknown.getMessage());
    }
  }

  private void run(Set<FaultKind> kinds, Totals totals) {
    SeedRun run =
        new SeedRun(
            size,
            Duration.ofSeconds(Math.round(hours * 3600)),
            Optional.ofNullable(nodes),
            kinds,
            shrink);
    for (long each = seed; each < seed + seeds; each++) {
      Outcome outcome = run.run(each, totals.coverage());
      totals.add(outcome);
      if (trace) {
        outcome.trace().forEach(out::println);
      }
      if (outcome.broken().isPresent()) {
        run.report(outcome, run.shrunk(outcome), lines, out);
        if (first) {
          return;
        }
      }
    }
  }

  /** Each part has a JVM of its own, because a JVM runs one world at a time. */
  private void inParts(Totals totals) throws IOException, InterruptedException {
    int parts = Math.min(jobs, seeds);
    List<Process> processes = new ArrayList<>();
    long next = seed;
    for (int index = 0; index < parts; index++) {
      int share = seeds / parts + (index < seeds % parts ? 1 : 0);
      processes.add(start(next, share));
      next += share;
    }
    List<Thread> readers = new ArrayList<>();
    List<List<String>> outputs = new ArrayList<>();
    for (Process process : processes) {
      List<String> output = new ArrayList<>();
      outputs.add(output);
      readers.add(
          Thread.ofPlatform().start(() -> process.inputReader().lines().forEach(output::add)));
    }
    for (int index = 0; index < parts; index++) {
      readers.get(index).join();
      for (String line : outputs.get(index)) {
        if (!totals.read(line)) {
          out.println(line);
        }
      }
      int code = processes.get(index).waitFor();
      if (code > 1) {
        err.printf("a part ended with %d%n", code);
        totals.partFailed();
      }
    }
  }

  private Process start(long from, int share) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            SimulateFaults.class.getName(),
            "--part",
            "--seed=" + from,
            "--seeds=" + share,
            "--hours=" + hours,
            "--size=" + size,
            "--lines=" + lines,
            "--shrink=" + shrink));
    if (first) {
      command.add("--first");
    }
    if (trace) {
      command.add("--trace");
    }
    if (nodes != null) {
      command.add("--nodes=" + nodes);
    }
    if (!only.isEmpty()) {
      command.add("--only=" + String.join(",", only));
    }
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
