package io.probelet.cli.option;

import io.probelet.cli.console.IneffectiveOptions;
import io.probelet.web.scrape.ScrapeSettings;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of every command whose metrics can be scraped from elsewhere. */
public final class ScrapeOptions {
  @Option(
      names = "--metrics-listen",
      paramLabel = "HOST:PORT",
      defaultValue = "${env:PROBELET_METRICS_LISTEN}",
      description =
          "Address for metrics over TLS, for clients that the API server authorizes to get /metrics"
              + " (environment: PROBELET_METRICS_LISTEN; default: none).")
  private @Nullable String listen;

  @Option(
      names = "--metrics-certificates",
      paramLabel = "DIR",
      defaultValue = "${env:PROBELET_METRICS_CERTIFICATES}",
      description =
          "Folder with its tls.crt and tls.key, reloaded when they change; without them it is off"
              + " (environment: PROBELET_METRICS_CERTIFICATES; default:"
              + " "
              + ScrapeSettings.CERTIFICATES
              + ").")
  private @Nullable Path certificates;

  /** Created by the command line. */
  public ScrapeOptions() {}

  /** Refuses certificates without a listener. */
  public static void refuseIneffective(CommandSpec spec, ScrapeSettings settings) {
    if (settings.listen().isEmpty()) {
      IneffectiveOptions.refuse(
          spec, "while metrics are not served over TLS", List.of("--metrics-certificates"));
    }
  }

  /**
   * Overrides the file's settings with those of flags and environment.
   *
   * @throws IllegalArgumentException if the address is invalid; the message is for the user
   */
  public ScrapeSettings prevailing(ScrapeSettings file) {
    return new ScrapeSettings(
        listen == null || listen.isEmpty() ? file.listen() : ScrapeSettings.parse(listen),
        certificates == null ? file.certificates() : certificates);
  }
}
