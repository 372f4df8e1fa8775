package io.probelet.agent.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Statistics of the machine under node-problem-detector's names, read from procfs at each
 * scrape. What cannot be read is not there.
 */
public final class SystemStats implements MultiCollector {
  /** What can be collected, by node-problem-detector's names. */
  public static final Set<String> NAMES =
      Set.of(
          "cpu/load_1m",
          "cpu/load_5m",
          "cpu/load_15m",
          "cpu/runnable_task_count",
          "system/processes_total",
          "system/procs_running",
          "system/procs_blocked",
          "system/interrupts_total",
          "host/uptime",
          "memory/bytes_used",
          "memory/anonymous_used",
          "memory/page_cache_used",
          "memory/unevictable_used",
          "memory/dirty_used");

  private static final String STATE = "state";
  private static final int KIBI = 1024;

  private final Map<String, String> names;
  private final Path proc;
  private final Path osRelease;

  /**
   * Creates a collector.
   *
   * @param names what each wanted metric is called
   * @param proc where procfs is
   * @param osRelease the file that names the operating system
   */
  SystemStats(Map<String, String> names, Path proc, Path osRelease) {
    this.names = new TreeMap<>(names);
    this.proc = proc;
    this.osRelease = osRelease;
  }

  /**
   * Adds the statistics of this machine to others.
   *
   * @param names what each wanted metric is called, by node-problem-detector's name for it
   * @param registry where to
   */
  static void addTo(PrometheusRegistry registry, Map<String, String> names) {
    if (!names.isEmpty()) {
      registry.register(new SystemStats(names, Path.of("/proc"), Path.of("/etc/os-release")));
    }
  }

  @Override
  public MetricSnapshots collect() {
    List<MetricSnapshot> all = new ArrayList<>();
    names.forEach((name, shown) -> {
      try {
        Map<Labels, Double> values = values(name);
        if (!values.isEmpty()) {
          all.add(snapshot(name, shown, values));
        }
      } catch (IOException | NumberFormatException | IndexOutOfBoundsException unreadable) {
        // it is not there then, like everything that a kernel does not have
      }
    });
    return new MetricSnapshots(all);
  }

  private static MetricSnapshot snapshot(String name, String shown, Map<Labels, Double> values) {
    return new UnknownSnapshot(
        new MetricMetadata(
            shown.replaceAll("[^A-Za-z0-9_]", "_"), "As node-problem-detector's " + name + "."),
        values.entrySet().stream()
            .map(each -> new UnknownDataPointSnapshot(each.getValue(), each.getKey(), null))
            .toList());
  }

  private Map<Labels, Double> values(String name) throws IOException {
    return switch (name) {
      case "cpu/load_1m", "cpu/runnable_task_count" -> Map.of(Labels.EMPTY, load(0));
      case "cpu/load_5m" -> Map.of(Labels.EMPTY, load(1));
      case "cpu/load_15m" -> Map.of(Labels.EMPTY, load(2));
      case "system/processes_total" -> Map.of(Labels.EMPTY, stat("processes"));
      case "system/procs_running" -> Map.of(Labels.EMPTY, stat("procs_running"));
      case "system/procs_blocked" -> Map.of(Labels.EMPTY, stat("procs_blocked"));
      case "system/interrupts_total" -> Map.of(Labels.EMPTY, stat("intr"));
      case "host/uptime" -> Map.of(host(), number("uptime", 0));
      default -> memory(name);
    };
  }

  private double load(int column) throws IOException {
    return number("loadavg", column);
  }

  private double number(String file, int column) throws IOException {
    return Double.parseDouble(Files.readString(proc.resolve(file)).split("\\s+", -1)[column]);
  }

  private double stat(String key) throws IOException {
    for (String line : Files.readAllLines(proc.resolve("stat"))) {
      if (line.startsWith(key + " ")) {
        return Double.parseDouble(line.split(" ", -1)[1]);
      }
    }
    throw new IOException("no " + key);
  }

  private Labels host() throws IOException {
    Map<String, String> release = new HashMap<>();
    for (String line : Files.readAllLines(osRelease)) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        release.put(line.substring(0, equals), line.substring(equals + 1).replace("\"", ""));
      }
    }
    String version = release.getOrDefault("VERSION", release.getOrDefault("VERSION_ID", ""));
    return Labels.of(
        "kernel_version",
        Files.readString(proc.resolve("sys/kernel/osrelease")).strip(),
        "os_version",
        (release.getOrDefault("ID", "linux") + " " + version).strip());
  }

  private Map<Labels, Double> memory(String name) throws IOException {
    Map<String, Double> info = new HashMap<>();
    for (String line : Files.readAllLines(proc.resolve("meminfo"))) {
      String[] parts = line.split(":?\\s+", -1);
      info.put(parts[0], Double.parseDouble(parts[1]) * KIBI);
    }
    Map<Labels, Double> values = new HashMap<>();
    switch (name) {
      case "memory/bytes_used" -> {
        double others = 0;
        for (String[] state :
            new String[][] {
              {"free", "MemFree"}, {"buffered", "Buffers"}, {"cached", "Cached"}, {"slab", "Slab"}
            }) {
          double bytes = info.getOrDefault(state[1], 0.0);
          values.put(Labels.of(STATE, state[0]), bytes);
          others += bytes;
        }
        values.put(Labels.of(STATE, "used"), info.getOrDefault("MemTotal", 0.0) - others);
      }
      case "memory/anonymous_used" -> {
        values.put(Labels.of(STATE, "active"), info.getOrDefault("Active(anon)", 0.0));
        values.put(Labels.of(STATE, "inactive"), info.getOrDefault("Inactive(anon)", 0.0));
      }
      case "memory/page_cache_used" -> {
        values.put(Labels.of(STATE, "active"), info.getOrDefault("Active(file)", 0.0));
        values.put(Labels.of(STATE, "inactive"), info.getOrDefault("Inactive(file)", 0.0));
      }
      case "memory/unevictable_used" ->
          values.put(Labels.EMPTY, info.getOrDefault("Unevictable", 0.0));
      default -> {
        values.put(Labels.of(STATE, "dirty"), info.getOrDefault("Dirty", 0.0));
        values.put(Labels.of(STATE, "writeback"), info.getOrDefault("Writeback", 0.0));
      }
    }
    return values;
  }
}
