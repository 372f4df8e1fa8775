package io.probelet.web.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.kube.access.ApiAnswers;
import java.util.concurrent.TimeUnit;

/** Whether the API server answers. */
public final class ApiServerMetrics {
  private static final double MILLIS = TimeUnit.SECONDS.toMillis(1);

  private ApiServerMetrics() {}

  /**
   * Adds the metrics.
   *
   * @param answers kept as long as the registry is
   */
  public static void addTo(MeterRegistry registry, ApiAnswers answers) {
    Gauge.builder("probelet.api.server.up", () -> answers.isUp() ? 1 : 0)
        .description("Whether the last request to the API server was answered.")
        .register(registry);
    Gauge.builder(
            "probelet.api.server.seconds.since.answer",
            () -> answers.sinceAnswer().toMillis() / MILLIS)
        .description("Seconds since the API server answered; at first since the start.")
        .register(registry);
  }
}
