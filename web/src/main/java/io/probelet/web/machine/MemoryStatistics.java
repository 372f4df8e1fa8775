package io.probelet.web.machine;

import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What memory is used for, in bytes, from {@code meminfo}. */
final class MemoryStatistics {
  private static final String STATE = "state";
  private static final int KIBI = 1024;
  private static final int PERCENT = 100;

  /** What is not counted as used, and how it is called. */
  private static final Map<String, String> UNUSED =
      Map.of("MemFree", "free", "Buffers", "buffered", "Cached", "cached", "Slab", "slab");

  private final ProcFiles proc;

  MemoryStatistics(ProcFiles proc) {
    this.proc = proc;
  }

  Stream<Statistic> all() {
    return Stream.of(
        Statistic.gauge("memory/bytes_used", this::bytesUsed),
        Statistic.gauge("memory/percent_used", this::percentUsed),
        Statistic.gauge(
            "memory/anonymous_used",
            () -> states(Map.of("Active(anon)", "active", "Inactive(anon)", "inactive"))),
        Statistic.gauge(
            "memory/page_cache_used",
            () -> states(Map.of("Active(file)", "active", "Inactive(file)", "inactive"))),
        Statistic.gauge(
            "memory/unevictable_used",
            () -> Map.of(Labels.EMPTY, needed(info(), List.of("Unevictable")))),
        Statistic.gauge(
            "memory/dirty_used", () -> states(Map.of("Dirty", "dirty", "Writeback", "writeback"))));
  }

  private Map<Labels, Double> bytesUsed() throws IOException {
    Map<Labels, Double> values = new LinkedHashMap<>(states(UNUSED));
    values.put(Labels.of(STATE, "used"), used(info()));
    return values;
  }

  private Map<Labels, Double> percentUsed() throws IOException {
    Map<String, Double> info = info();
    double total = needed(info, List.of("MemTotal"));
    return total <= 0 ? Map.of() : Map.of(Labels.of(STATE, "used"), used(info) / total * PERCENT);
  }

  private static double used(Map<String, Double> info) throws IOException {
    return needed(info, List.of("MemTotal")) - needed(info, List.copyOf(UNUSED.keySet()));
  }

  /** The sum of these. */
  private static double needed(Map<String, Double> info, List<String> keys) throws IOException {
    double sum = 0;
    for (String key : keys) {
      Double bytes = info.get(key);
      if (bytes == null) {
        throw new IOException("meminfo has no " + key);
      }
      sum += bytes;
    }
    return sum;
  }

  private Map<Labels, Double> states(Map<String, String> names) throws IOException {
    Map<String, Double> info = info();
    Map<Labels, Double> values = new LinkedHashMap<>();
    names.forEach((key, state) -> {
      Double bytes = info.get(key);
      if (bytes != null) {
        values.put(Labels.of(STATE, state), bytes);
      }
    });
    return values;
  }

  private Map<String, Double> info() throws IOException {
    Map<String, Double> info = new HashMap<>();
    for (String line : proc.lines("meminfo")) {
      String[] parts = line.split(":?\\s+", -1);
      info.put(parts[0], Double.parseDouble(parts[1]) * KIBI);
    }
    return info;
  }
}
