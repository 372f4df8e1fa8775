package io.probelet.web.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.web.statistics.StatisticsView.Usage;

/** What the statistics of probes take of their limit of memory. */
public final class StatisticsMetrics {
  private static final String BYTES = "bytes";

  private StatisticsMetrics() {}

  /**
   * Adds the metrics.
   *
   * @param usage asked at each scrape
   */
  public static void add(MeterRegistry registry, Usage usage) {
    Gauge.builder("probelet.statistics.used", usage::usedBytes)
        .description("Memory reserved for latency sketches and outcomes of probes.")
        .baseUnit(BYTES)
        .register(registry);
    Gauge.builder("probelet.statistics.limit", usage::limitBytes)
        .description("Memory that latency sketches and outcomes of probes may take.")
        .baseUnit(BYTES)
        .register(registry);
    Gauge.builder("probelet.statistics.skipped.probes", usage::probesWithout)
        .description("Probes without statistics because the memory limit is reached.")
        .register(registry);
  }
}
