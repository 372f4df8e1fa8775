package io.probelet.kube;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a test's main class in its own JVM with a small heap. */
public final class SmallHeap {
  /** Hang detection only. */
  private static final int MINUTES = 5;

  private SmallHeap() {}

  /** Its output and exit code. */
  public record Result(int exit, String output) {}

  /** Runs it to its end; an OutOfMemoryError exits with 3. */
  public static Result run(int megabytes, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + megabytes + "m");
    command.add("-XX:+UseSerialGC");
    command.add("-XX:TieredStopAtLevel=1"); // as Probelet runs
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
      return new Result(ended ? process.exitValue() : -1, output);
    } finally {
      process.destroyForcibly();
    }
  }
}
