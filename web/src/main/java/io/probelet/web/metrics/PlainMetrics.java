package io.probelet.web.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.probelet.health.TimeSource;
import io.probelet.web.http.Resource;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.Map;

/** What answers {@code /metrics} of a program that probes nothing. */
public final class PlainMetrics implements Resource {
  private final PrometheusMeterRegistry registry;

  /** Creates metrics that count from zero. */
  public PlainMetrics(TimeSource time, String version) {
    registry =
        new PrometheusMeterRegistry(
            PrometheusConfig.DEFAULT, new PrometheusRegistry(), new Ticks(time));
    BuildInfo.addTo(registry, version);
  }

  /** {@return where others add their metrics} */
  public MeterRegistry registry() {
    return registry;
  }

  @Override
  public Answer get(Map<String, List<String>> query) {
    return new Answer(
        200,
        AgentMetrics.PROMETHEUS_TEXT,
        out -> registry.scrape(out, AgentMetrics.PROMETHEUS_TEXT));
  }
}
