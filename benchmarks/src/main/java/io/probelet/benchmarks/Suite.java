package io.probelet.benchmarks;

import io.probelet.benchmarks.FiguresPage.Outcome;
import io.probelet.health.SystemClock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs parts one after the other, each in its own process, so that one that fails or hangs does not
 * end the others, and writes one page with their figures.
 */
final class Suite {
  private static final long MAX_SECONDS = 1200;

  private final List<String> benchmarks;
  private final PrintStream out;
  private final long start = SystemClock.INSTANCE.nanoTime();

  /**
   * Stores how to start this program again.
   *
   * @param benchmarks the command up to a benchmark's name
   */
  Suite(List<String> benchmarks, PrintStream out) {
    this.benchmarks = List.copyOf(benchmarks);
    this.out = out;
  }

  /** {@return whether every part ran to its end; goals may still be missed} */
  boolean run(List<SuitePart> parts, Path page) throws IOException, InterruptedException {
    List<String> facts = new ArrayList<>(RunFacts.now());
    List<Outcome> outcomes = new ArrayList<>();
    for (SuitePart part : parts) {
      out.printf("== %s%n", part.command());
      Outcome outcome = run(part);
      out.print(outcome.output());
      if (!outcome.failure().isEmpty()) {
        out.println("failed: " + outcome.failure());
      }
      outcomes.add(outcome);
    }
    facts.add("took %.0f s; load at the end %s".formatted(seconds(start), RunFacts.load()));
    String text = FiguresPage.of(facts, outcomes);
    Files.createDirectories(page.toAbsolutePath().getParent());
    Files.writeString(page, text);
    out.println();
    out.print(text);
    out.println("written to " + page);
    return outcomes.stream().allMatch(one -> one.failure().isEmpty());
  }

  private Outcome run(SuitePart part) throws IOException, InterruptedException {
    long left = MAX_SECONDS - (long) seconds(start);
    if (left <= 0) {
      return new Outcome(part, "", "no time left of %d s".formatted(MAX_SECONDS), 0);
    }
    List<String> command = new ArrayList<>();
    if (part.program().equals(SuitePart.RUN)) {
      command.addAll(benchmarks);
    } else {
      command.add(part.program());
    }
    command.addAll(part.arguments());
    Path printed = Files.createTempFile("probelet-bench", ".txt");
    long begin = SystemClock.INSTANCE.nanoTime();
    try {
      String failure = end(command, printed, Math.min(left, part.maxSeconds()));
      return new Outcome(
          part,
          new String(Files.readAllBytes(printed), StandardCharsets.UTF_8),
          failure,
          seconds(begin));
    } finally {
      Files.delete(printed);
    }
  }

  /** Runs a program to its end; returns its error, or an empty text. */
  private static String end(List<String> command, Path printed, long maxSeconds)
      throws InterruptedException {
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(printed.toFile())
              .start();
    } catch (IOException missing) {
      return "could not be started: " + missing.getMessage();
    }
    try {
      if (!process.waitFor(maxSeconds, TimeUnit.SECONDS)) {
        return "not done within %d s".formatted(maxSeconds);
      }
      return process.exitValue() == 0 ? "" : "exit code " + process.exitValue();
    } finally {
      List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
      all.add(process.toHandle());
      all.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private static double seconds(long since) {
    return (SystemClock.INSTANCE.nanoTime() - since) / 1e9;
  }
}
