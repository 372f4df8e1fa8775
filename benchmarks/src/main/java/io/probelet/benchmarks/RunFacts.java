package io.probelet.benchmarks;

import io.probelet.health.SystemClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** The machine, the source and other load of a run. */
final class RunFacts {
  private RunFacts() {}

  static List<String> now() throws IOException {
    boolean changed = !git("status", "--porcelain").isEmpty();
    return List.of(
        "%s, commit %s%s"
            .formatted(
                SystemClock.INSTANCE.wallTime().truncatedTo(ChronoUnit.SECONDS),
                git("rev-parse", "--short", "HEAD"),
                changed ? " with changes" : ""),
        "%s, %d cores, %s, Linux %s"
            .formatted(
                field("/proc/cpuinfo", "model name"),
                Runtime.getRuntime().availableProcessors(),
                field("/proc/meminfo", "MemTotal"),
                System.getProperty("os.version")),
        "JVM %s".formatted(Runtime.version()),
        "load at the beginning %s".formatted(load()));
  }

  static String load() throws IOException {
    return Files.readString(Path.of("/proc/loadavg")).strip();
  }

  private static String field(String file, String name) throws IOException {
    return Files.readAllLines(Path.of(file)).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown " + name);
  }

  private static String git(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }
}
