package io.probelet.web.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Says which program this is. */
final class BuildInfo {
  private BuildInfo() {}

  static void addTo(MeterRegistry registry, String version) {
    Gauge.builder("probelet.build.info", () -> 1)
        .description("Always 1; labels identify the program.")
        .tag("version", version)
        .tag("java", Runtime.version().toString())
        .register(registry);
  }
}
