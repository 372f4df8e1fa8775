package io.probelet.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The time and memory of {@code probelet simulate --tape} for a month of a large cluster. The CPU
 * time also applies to a machine with other load.
 */
final class TapeSpeed {
  private static final double MAX_SECONDS = 10;
  private static final double MAX_MIB = 512;

  private static final String CHECK =
      """
      apiVersion: remediation.medik8s.io/v1alpha1
      kind: NodeHealthCheck
      metadata: {name: workers}
      spec:
        selector: {matchLabels: {pool: workers}}
        minHealthy: 90%
        unhealthyConditions:
        - {type: Ready, status: Unknown, duration: DURATION}
        - {type: Ready, status: "False", duration: DURATION}
        remediationTemplate:
          apiVersion: self-node-remediation.medik8s.io/v1alpha1
          kind: SelfNodeRemediationTemplate
          name: reboot
          namespace: remediation
      """;

  private final List<String> program;
  private final PrintStream out;

  /** Measures a program, called with the arguments of {@code probelet simulate}. */
  TapeSpeed(List<String> program, PrintStream out) {
    this.program = List.copyOf(program);
    this.out = out;
  }

  /** {@return whether it stayed within its limits} */
  boolean run(int nodes, int days) throws IOException, InterruptedException {
    Path directory = TemporaryFolder.create();
    Path tape = directory.resolve("tape.jsonl");
    long lines = new MadeUpTape(nodes, days).write(tape);
    out.printf(
        "%d days of %d nodes: %d lines, %.0f MiB%n",
        days, nodes, lines, Files.size(tape) / 1048576.0);
    if (!builds(directory)) {
      return false;
    }
    List<String> arguments = List.of("simulate", "--tape", tape.toString());
    List<String> one = new ArrayList<>(arguments);
    one.addAll(List.of("--nhc", check(directory, "5m")));
    List<String> two = new ArrayList<>(one);
    two.addAll(List.of("--nhc", check(directory, "3m")));
    boolean good = measure(one, directory);
    return measure(two, directory) && good;
  }

  /** The first start builds the program in a checkout. */
  private boolean builds(Path directory) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(program);
    command.add("--version");
    Path printed = directory.resolve("version.txt");
    int exit =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start()
            .waitFor();
    if (exit != 0) {
      out.print(Files.readString(printed));
    }
    return exit == 0;
  }

  private static String check(Path directory, String duration) throws IOException {
    Path file = directory.resolve("after-" + duration + ".yaml");
    Files.writeString(file, CHECK.replace("DURATION", duration));
    return file.toString();
  }

  private boolean measure(List<String> arguments, Path directory)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(program);
    command.addAll(arguments);
    Path printed = directory.resolve("printed.txt");
    long begin = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    long peak = 0;
    Duration cpu = Duration.ZERO;
    while (!process.waitFor(20, TimeUnit.MILLISECONDS)) {
      peak = Math.max(peak, peakKiB(process.pid()));
      cpu = process.info().totalCpuDuration().orElse(cpu);
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    if (process.exitValue() != 0) {
      out.print(Files.readString(printed));
      return false;
    }
    out.printf(
        "%d candidates: %6.2f s, %6.2f s of CPU, %6.1f MiB resident at most%n",
        Collections.frequency(arguments, "--nhc"), seconds, cpu.toMillis() / 1000.0, peak / 1024.0);
    return seconds <= MAX_SECONDS && peak / 1024.0 <= MAX_MIB;
  }

  private static long peakKiB(long pid) {
    try {
      return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException ended) {
      return 0;
    }
  }
}
