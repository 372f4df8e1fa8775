package io.probelet.benchmarks;

import io.probelet.benchmarks.Contender.Run;
import io.probelet.health.SystemClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What one contender cost over a window of time, after it had warmed up.
 *
 * @param contender its name
 * @param cpuMicrosPerProbe CPU time by the probes the target counted
 * @param probesPerSecond by the same count
 * @param cpuShare of one core
 * @param rssMiB resident set at the window's end
 * @param peakRssMiB largest resident set since its start
 * @param firstProbeSeconds from the start of the process to the end of its first probe
 * @param remarks what it says itself
 */
record Measurement(
    String contender,
    double cpuMicrosPerProbe,
    double probesPerSecond,
    double cpuShare,
    double rssMiB,
    double peakRssMiB,
    double firstProbeSeconds,
    List<String> remarks) {
  private static final double KIB_PER_MIB = 1024;

  static Measurement of(
      Contender contender, Load load, Target target, Path directory, int warmUpSeconds, int seconds)
      throws IOException {
    long start = SystemClock.INSTANCE.nanoTime();
    try (Run run = contender.start(directory, load)) {
      double firstProbe = (SystemClock.INSTANCE.nanoTime() - start) / 1e9;
      Waiting.forSeconds(warmUpSeconds);
      run.measure();
      long from = SystemClock.INSTANCE.nanoTime();
      long cpuBefore = run.daemon().cpuMicros();
      long connectionsBefore = target.connections();
      Waiting.forSeconds(seconds);
      double window = (SystemClock.INSTANCE.nanoTime() - from) / 1e9;
      long cpu = run.daemon().cpuMicros() - cpuBefore;
      double probes = run.probes(target.connections() - connectionsBefore, window);
      double rss = run.daemon().rssKiB() / KIB_PER_MIB;
      double peak = run.daemon().peakRssKiB() / KIB_PER_MIB;
      return new Measurement(
          contender.name(),
          cpu / probes,
          probes / window,
          cpu / 1e6 / window,
          rss,
          peak,
          firstProbe,
          run.finish());
    }
  }
}
