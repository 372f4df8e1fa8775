package io.probelet.web.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What the process itself takes, in the names Prometheus' own clients use. Read from the system at
 * the scrape instead of from Java's management beans, which cost some 2 MiB to have.
 */
public final class ProcessMetrics {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path FILES = Path.of("/proc/self/fd");
  private static final String RESIDENT = "VmRSS:";
  private static final double BYTES_PER_KIB = 1024;

  private ProcessMetrics() {}

  /** Adds the metrics; what the system does not report reads NaN. */
  public static void addTo(MeterRegistry registry) {
    ProcessHandle self = ProcessHandle.current();
    FunctionCounter.builder("process.cpu.seconds", self, ProcessMetrics::cpuSeconds)
        .description("CPU time spent, user and system.")
        .register(registry);
    Gauge.builder("process.start.time.seconds", self, ProcessMetrics::startSeconds)
        .description("When the process started, in seconds since 1970.")
        .strongReference(true)
        .register(registry);
    Gauge.builder("process.resident.memory.bytes", ProcessMetrics::residentBytes)
        .description("Memory the process holds in RAM.")
        .register(registry);
    Gauge.builder("process.open.fds", ProcessMetrics::openFiles)
        .description("Open files and sockets.")
        .register(registry);
    Runtime runtime = Runtime.getRuntime();
    Gauge.builder("jvm.memory.used.bytes", () -> runtime.totalMemory() - runtime.freeMemory())
        .description("Memory in use.")
        .tag("area", "heap")
        .register(registry);
    Gauge.builder("jvm.memory.max.bytes", runtime::maxMemory)
        .description("Maximum memory.")
        .tag("area", "heap")
        .register(registry);
  }

  private static double cpuSeconds(ProcessHandle process) {
    return process
        .info()
        .totalCpuDuration()
        .map(Duration::toNanos)
        .map(nanos -> nanos / (double) TimeUnit.SECONDS.toNanos(1))
        .orElse(Double.NaN);
  }

  private static double startSeconds(ProcessHandle process) {
    return process
        .info()
        .startInstant()
        .map(Instant::toEpochMilli)
        .map(millis -> millis / (double) TimeUnit.SECONDS.toMillis(1))
        .orElse(Double.NaN);
  }

  private static double residentBytes() {
    try (Stream<String> lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith(RESIDENT))
          .map(line -> line.substring(RESIDENT.length()).replace("kB", "").strip())
          .mapToDouble(kib -> Long.parseLong(kib) * BYTES_PER_KIB)
          .findFirst()
          .orElse(Double.NaN);
    } catch (IOException notLinux) {
      return Double.NaN;
    }
  }

  private static double openFiles() {
    try (Stream<Path> open = Files.list(FILES)) {
      return open.count();
    } catch (IOException notLinux) {
      return Double.NaN;
    }
  }
}
