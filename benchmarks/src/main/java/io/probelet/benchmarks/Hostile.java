package io.probelet.benchmarks;

import io.probelet.health.SystemClock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;

/** Probelet against misbehaving targets: results, punctuality, and memory over time. */
final class Hostile {
  private static final int SAMPLES = 10;
  private static final double KIB_PER_MIB = 1024;

  private final Path jvmOptions;
  private final PrintStream out;

  Hostile(Path jvmOptions, PrintStream out) {
    this.jvmOptions = jvmOptions;
    this.out = out;
  }

  void run(Path directory, int probesPerSecond, int seconds)
      throws IOException, GeneralSecurityException {
    int ways = HostileTarget.Way.values().length;
    try (HostileTarget target = new HostileTarget(directory)) {
      List<String> arguments = new ArrayList<>(List.of(Integer.toString(probesPerSecond / ways)));
      target.ports().values().forEach(port -> arguments.add(port.toString()));
      try (Daemon daemon =
          ProbeletContender.launch(directory, jvmOptions, HostileProcess.class, arguments)) {
        long start = SystemClock.INSTANCE.nanoTime();
        for (int sample = 1; sample <= SAMPLES; sample++) {
          Waiting.forSeconds(seconds / SAMPLES);
          out.printf(
              "after %4.0f s: RSS %.1f MiB%n",
              (SystemClock.INSTANCE.nanoTime() - start) / 1e9, daemon.rssKiB() / KIB_PER_MIB);
        }
        daemon.finish().forEach(out::println);
      }
    }
  }
}
