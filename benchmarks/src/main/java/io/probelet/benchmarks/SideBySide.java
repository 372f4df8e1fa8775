package io.probelet.benchmarks;

import io.probelet.benchmarks.Contender.Run;
import io.probelet.health.SystemClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Contenders that take turns in short windows of one run, while the others pause, so that other
 * load of the machine affects all alike. Each round has a window for each of them, and each round
 * starts with another one.
 */
final class SideBySide {
  /** Time until a resumed contender runs at full speed again; not measured. */
  private static final long SETTLE_MILLIS = 1500;

  private final Load load;
  private final int windows;
  private final long windowMillis;
  private final int warmUpSeconds;

  /**
   * Sets the duration.
   *
   * @param windows number of windows of each contender
   * @param seconds total time of all windows of one contender
   */
  SideBySide(Load load, int windows, int seconds, int warmUpSeconds) {
    this.load = load;
    this.windows = windows;
    windowMillis = seconds * 1000L / windows;
    this.warmUpSeconds = warmUpSeconds;
  }

  /**
   * The figures of one contender.
   *
   * @param windows in the order of the rounds
   * @param rssMiB resident set at the end of its last window
   * @param peakRssMiB maximum resident set since its start
   * @param firstProbeSeconds from the start of the process to the end of its first probe
   */
  record Result(
      String contender,
      List<MeasuredWindow> windows,
      double rssMiB,
      double peakRssMiB,
      double firstProbeSeconds,
      List<String> remarks) {
    List<Double> costs() {
      return windows.stream().map(MeasuredWindow::cpuMicrosPerProbe).toList();
    }
  }

  /** Runs all windows. */
  List<Result> run(List<Contender> contenders, Target target, Path directory) throws IOException {
    List<Turn> turns = new ArrayList<>();
    try {
      for (Contender contender : contenders) {
        turns.add(start(contender, directory, contenders.size() > 1));
      }
      turns.forEach(turn -> turn.run.measure());
      for (int round = 0; round < windows; round++) {
        for (int i = 0; i < turns.size(); i++) {
          turns.get((round + i) % turns.size()).window(target);
        }
      }
      return turns.stream().map(Turn::result).toList();
    } finally {
      turns.forEach(turn -> turn.run.close());
    }
  }

  private Turn start(Contender contender, Path directory, boolean pauses) throws IOException {
    long start = SystemClock.INSTANCE.nanoTime();
    Run run = contender.start(directory, load);
    Turn turn = new Turn(contender.name(), run, seconds(start), pauses);
    try {
      Waiting.forSeconds(contender.warmUp(warmUpSeconds));
      if (pauses) {
        run.pause();
      }
      return turn;
    } catch (IllegalStateException failed) {
      run.close();
      throw failed;
    }
  }

  private static double seconds(long since) {
    return (SystemClock.INSTANCE.nanoTime() - since) / 1e9;
  }

  /** One contender with its figures so far. */
  private final class Turn {
    private static final double KIB_PER_MIB = 1024;

    private final String name;
    private final Run run;
    private final double firstProbe;
    private final boolean pauses;
    private final List<MeasuredWindow> done = new ArrayList<>();
    private double rss;
    private double peak;

    Turn(String name, Run run, double firstProbe, boolean pauses) {
      this.name = name;
      this.run = run;
      this.firstProbe = firstProbe;
      this.pauses = pauses;
    }

    void window(Target target) throws IOException {
      if (pauses) {
        run.goOn();
        Waiting.forMillis(SETTLE_MILLIS);
      }
      Daemon daemon = run.daemon();
      long from = SystemClock.INSTANCE.nanoTime();
      MachineTimes machine = MachineTimes.now();
      long cpu = daemon.cpuMicros();
      long own = cpu + target.cpuMicros() + Daemon.cpuMicrosOfThis();
      long probes = count(target);
      Waiting.forMillis(windowMillis);
      long cpuAfter = daemon.cpuMicros();
      long ownAfter = cpuAfter + target.cpuMicros() + Daemon.cpuMicrosOfThis();
      done.add(
          new MeasuredWindow(
              seconds(from),
              cpuAfter - cpu,
              count(target) - probes,
              ownAfter - own,
              MachineTimes.now().since(machine)));
      rss = daemon.rssKiB() / KIB_PER_MIB;
      peak = Math.max(peak, daemon.peakRssKiB() / KIB_PER_MIB);
      if (pauses) {
        run.pause();
      }
    }

    private long count(Target target) throws IOException {
      return load.kind() == Load.Kind.TCP ? KernelCount.opened() : target.connections();
    }

    Result result() {
      return new Result(name, List.copyOf(done), rss, peak, firstProbe, run.finish());
    }
  }
}
