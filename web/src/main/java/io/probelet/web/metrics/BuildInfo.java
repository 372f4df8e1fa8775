package io.probelet.web.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Which program this is. */
public final class BuildInfo {
  private BuildInfo() {}

  /** {@return the version of Probelet that runs, {@code unpackaged} for classes without a jar} */
  public static String version() {
    String version = BuildInfo.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }

  static void addTo(MeterRegistry registry, String version) {
    Gauge.builder("probelet.build.info", () -> 1)
        .description("Always 1; labels identify the program.")
        .tag("version", version)
        .tag("java", Runtime.version().toString())
        .register(registry);
  }
}
