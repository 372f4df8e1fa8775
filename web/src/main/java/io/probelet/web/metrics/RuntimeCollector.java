package io.probelet.web.metrics;

import io.probelet.runtime.cri.CriStats;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** How the container runtime answers, and how busy commands in containers keep it. */
final class RuntimeCollector implements MultiCollector {
  private final Supplier<Optional<CriStats>> stats;
  private final Labels common;

  /** Creates a collector of series that all have these labels. */
  RuntimeCollector(Supplier<Optional<CriStats>> stats, Labels common) {
    this.stats = stats;
    this.common = common;
  }

  @Override
  public MetricSnapshots collect() {
    return stats.get().map(this::of).orElseGet(MetricSnapshots::new);
  }

  private MetricSnapshots of(CriStats now) {
    CriStats.Execs execs = now.execs();
    return MetricSnapshots.of(
        gauge(
            "probelet_runtime_up",
            "Whether the container runtime answered the last request.",
            now.connected() ? 1 : 0),
        counter(
            "probelet_runtime_disconnects",
            "How often the container runtime became unavailable.",
            now.disconnects()),
        times(
            "probelet_runtime_relist_seconds",
            "Duration of listing pods and containers in the container runtime.",
            now.relists(),
            now.relisting()),
        gauge(
            "probelet_runtime_execs_limit",
            "Commands that may run in containers at once.",
            execs.limit()),
        gauge(
            "probelet_runtime_execs_running",
            "Commands running in containers, including those past their timeout.",
            execs.running()),
        counter(
            "probelet_runtime_execs_displaced",
            "Commands ended before their timeout because other pods waited for their slot.",
            execs.displaced()),
        gauge(
            "probelet_runtime_execs_waiting",
            "Commands waiting for a slot or for the share of their pod or namespace.",
            execs.waiting()),
        times(
            "probelet_runtime_exec_wait_seconds",
            "How long commands waited before they ran.",
            execs.begun(),
            execs.waited()));
  }

  private MetricSnapshot gauge(String name, String help, long value) {
    return GaugeSnapshot.builder()
        .name(name)
        .help(help)
        .dataPoint(
            GaugeSnapshot.GaugeDataPointSnapshot.builder()
                .value((double) value)
                .labels(common)
                .build())
        .build();
  }

  private MetricSnapshot counter(String name, String help, long value) {
    return CounterSnapshot.builder()
        .name(name)
        .help(help)
        .dataPoint(
            CounterSnapshot.CounterDataPointSnapshot.builder()
                .value((double) value)
                .labels(common)
                .build())
        .build();
  }

  private MetricSnapshot times(String name, String help, long count, Duration sum) {
    return SummarySnapshot.builder()
        .name(name)
        .help(help)
        .dataPoint(
            SummarySnapshot.SummaryDataPointSnapshot.builder()
                .labels(common)
                .count(count)
                .sum(sum.toNanos() / (double) TimeUnit.SECONDS.toNanos(1))
                .build())
        .build();
  }
}
