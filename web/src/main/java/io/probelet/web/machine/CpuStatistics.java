package io.probelet.web.machine;

import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Load, times of CPUs and processes, from {@code loadavg} and {@code stat}. */
final class CpuStatistics {
  /** The columns of the lines that hold times, in hundredths of a second. */
  private static final List<String> STATES =
      List.of(
          "user",
          "nice",
          "system",
          "idle",
          "iowait",
          "irq",
          "softirq",
          "steal",
          "guest",
          "guest_nice");

  /** The same, as system/cpu_stat spells them. */
  private static final List<String> STAGES =
      List.of(
          "user",
          "nice",
          "system",
          "idle",
          "iowait",
          "iRQ",
          "softIRQ",
          "steal",
          "guest",
          "guestNice");

  private static final double TICKS_PER_SECOND = 100;

  private final ProcFiles proc;

  CpuStatistics(ProcFiles proc) {
    this.proc = proc;
  }

  Stream<Statistic> all() {
    return Stream.of(
        Statistic.gauge("cpu/load_1m", () -> load(0)),
        Statistic.gauge("cpu/load_5m", () -> load(1)),
        Statistic.gauge("cpu/load_15m", () -> load(2)),
        Statistic.gauge("cpu/runnable_task_count", () -> load(0)),
        Statistic.counter("cpu/usage_time", this::usage),
        Statistic.counter("system/cpu_stat", this::stages),
        Statistic.counter("system/processes_total", () -> stat("processes")),
        Statistic.gauge("system/procs_running", () -> stat("procs_running")),
        Statistic.gauge("system/procs_blocked", () -> stat("procs_blocked")),
        Statistic.counter("system/interrupts_total", () -> stat("intr")));
  }

  private Map<Labels, Double> load(int column) throws IOException {
    return Map.of(Labels.EMPTY, Double.parseDouble(proc.words("loadavg", "")[column]));
  }

  private Map<Labels, Double> stat(String key) throws IOException {
    return Map.of(Labels.EMPTY, Double.parseDouble(proc.words("stat", key)[1]));
  }

  private Map<Labels, Double> usage() throws IOException {
    String[] words = proc.words("stat", "cpu");
    Map<Labels, Double> values = new LinkedHashMap<>();
    for (int i = 0; i < STATES.size() && i + 1 < words.length; i++) {
      values.put(Labels.of("state", STATES.get(i)), Double.parseDouble(words[i + 1]));
    }
    return values;
  }

  private Map<Labels, Double> stages() throws IOException {
    Map<Labels, Double> values = new LinkedHashMap<>();
    for (String line : proc.lines("stat")) {
      String[] words = ProcFiles.words(line);
      if (words[0].matches("cpu[0-9]+")) {
        for (int i = 0; i < STAGES.size() && i + 1 < words.length; i++) {
          values.put(
              Labels.of("cpu", words[0], "stage", STAGES.get(i)),
              Double.parseDouble(words[i + 1]) / TICKS_PER_SECOND);
        }
      }
    }
    return values;
  }
}
