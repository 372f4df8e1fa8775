package io.probelet.benchmarks;

import io.probelet.health.SystemClock;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The cost of monitoring a node: a flood of lines, many plugins, and only the defaults. */
final class Monitoring {
  private static final int LINES_PER_SECOND = 100_000;
  private static final int CHUNKS_PER_SECOND = 100;
  private static final int ROTATE_SECONDS = 20;
  private static final double KIB_PER_MIB = 1024;

  /** The interval of most built-in checks; nothing happens between. */
  private static final int ROUND_SECONDS = 30;

  private static final Path KERNEL_LOG = Path.of("/dev/kmsg");

  private final Path jvmOptions;
  private final PrintStream out;

  Monitoring(Path jvmOptions, PrintStream out) {
    this.jvmOptions = jvmOptions;
    this.out = out;
  }

  void run(int warmUp, int seconds) throws IOException {
    // The first minute of an idle program is compilation, which overlaps with other measurements.
    try (Daemon builtIn = start("default", KERNEL_LOG)) {
      lines(warmUp, seconds);
      try (Daemon plugins = start("plugins", KERNEL_LOG)) {
        Waiting.forSeconds(warmUp);
        idle(plugins, "50 plugins every 10 s", seconds);
      }
      idle(builtIn, "what is built in, on this machine", rounds(seconds));
    }
  }

  /** {@return at least this time, rounded up to whole intervals of built-in checks} */
  private static int rounds(int seconds) {
    return Math.ceilDiv(seconds, ROUND_SECONDS) * ROUND_SECONDS;
  }

  /** Starts a monitor with its own folder for its state. */
  private Daemon start(String what, Path kmsg) throws IOException {
    Path folder = TemporaryFolder.create();
    Daemon daemon =
        Daemon.startIn(
            MemoryGroup.create(),
            folder,
            "monitor-" + what,
            ProbeletContender.command(
                jvmOptions,
                MonitorProcess.class,
                List.of(what, folder.toString(), kmsg.toString())));
    for (String line = daemon.nextLine(); !line.equals(MonitorProcess.STARTED); ) {
      line = daemon.nextLine();
    }
    return daemon;
  }

  /** A log that is rotated every few seconds; one line a second is a problem. */
  private void lines(int warmUp, int seconds) throws IOException {
    Path log = Files.createFile(TemporaryFolder.create().resolve("kmsg"));
    Map<String, Long> written = new ConcurrentHashMap<>();
    ConcurrentLinkedQueue<Double> latencies = new ConcurrentLinkedQueue<>();
    try (Daemon daemon = start("lines", log)) {
      Thread.ofPlatform().daemon().start(() -> listen(daemon, written, latencies));
      flood(log, 0, warmUp, written);
      latencies.clear();
      long cpu = daemon.cpuMicros();
      double rss = daemon.rssKiB() / KIB_PER_MIB;
      long start = SystemClock.INSTANCE.nanoTime();
      flood(log, warmUp, seconds, written);
      double window = (SystemClock.INSTANCE.nanoTime() - start) / 1e9;
      Waiting.until("the last lines have been read", () -> written.isEmpty());
      double lines = (double) LINES_PER_SECOND * seconds;
      List<Double> sorted = new ArrayList<>(latencies);
      sorted.sort(null);
      out.printf(
          "%,.0f lines/s through 30 rules: %.2f CPU-µs/line, RSS %.1f MiB (%.1f after warm-up,"
              + " peak %.1f), a match reported after p50 %.0f ms, max %.0f ms (%d of them)%n",
          lines / window,
          (daemon.cpuMicros() - cpu) / lines,
          daemon.rssKiB() / KIB_PER_MIB,
          rss,
          daemon.peakRssKiB() / KIB_PER_MIB,
          sorted.get(sorted.size() / 2),
          sorted.getLast(),
          sorted.size());
    }
  }

  private static void listen(
      Daemon daemon, Map<String, Long> written, ConcurrentLinkedQueue<Double> latencies) {
    try {
      while (true) {
        Long since = written.remove(daemon.nextLine());
        if (since != null) {
          latencies.add((SystemClock.INSTANCE.nanoTime() - since) / 1e6);
        }
      }
    } catch (IllegalStateException | UncheckedIOException ended) {
      return; // with the measurement
    }
  }

  /** Lines in the kernel's format, with the length and kind of a busy node's. */
  private static void flood(Path log, int from, int seconds, Map<String, Long> written)
      throws IOException {
    long start = SystemClock.INSTANCE.nanoTime();
    int chunk = LINES_PER_SECOND / CHUNKS_PER_SECOND;
    BufferedWriter writer = append(log);
    for (int i = 0; i < seconds * CHUNKS_PER_SECOND; i++) {
      int second = from + i / CHUNKS_PER_SECOND;
      if (i > 0 && i % (ROTATE_SECONDS * CHUNKS_PER_SECOND) == 0) {
        writer.close();
        Path old = log.resolveSibling("kmsg.1");
        Files.deleteIfExists(old);
        Files.move(log, old);
        writer = append(log);
      }
      for (int line = 0; line < chunk; line++) {
        writer.write("6,");
        writer.write(Integer.toString(line));
        writer.write(",99999999999,-;IPv6: ADDRCONF(NETDEV_CHANGE): veth");
        writer.write(Integer.toHexString(i * chunk + line));
        writer.write(": link becomes ready, device entered promiscuous mode\n");
      }
      if (i % CHUNKS_PER_SECOND == CHUNKS_PER_SECOND / 2) {
        String marker = MonitorProcess.MARKER + second;
        written.put(marker, SystemClock.INSTANCE.nanoTime());
        writer.write("3,1,99999999999,-;" + marker + "\n");
      }
      writer.flush();
      long wait =
          start
              + (i + 1L) * TimeUnit.SECONDS.toNanos(1) / CHUNKS_PER_SECOND
              - SystemClock.INSTANCE.nanoTime();
      if (wait > 0) {
        LockSupport.parkNanos(wait);
      }
    }
    writer.close();
  }

  private static BufferedWriter append(Path log) throws IOException {
    return Files.newBufferedWriter(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void idle(Daemon daemon, String shown, int seconds) {
    long own = daemon.cpuMicros();
    long children = daemon.childrenCpuMicros();
    Waiting.forSeconds(seconds);
    double own100 = 100 * (daemon.cpuMicros() - own) / (seconds * 1e6);
    double children100 = 100 * (daemon.childrenCpuMicros() - children) / (seconds * 1e6);
    out.printf(
        "%s: %.2f %% of a core, and %.2f %% for programs it starts; %s%n",
        shown, own100, children100, daemon.memory());
  }
}
