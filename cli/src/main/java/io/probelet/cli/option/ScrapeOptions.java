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
          "Address at which metrics are also scraped over TLS, by those whom the API server lets"
              + " get /metrics (environment: PROBELET_METRICS_LISTEN; default: none).")
  private @Nullable String listen;

  @Option(
      names = "--metrics-certificates",
      paramLabel = "DIR",
      defaultValue = "${env:PROBELET_METRICS_CERTIFICATES}",
      description =
          "Folder of tls.crt and tls.key for it, read again when they change; without them it is"
              + " not served (environment: PROBELET_METRICS_CERTIFICATES; default:"
              + " "
              + ScrapeSettings.CERTIFICATES
              + ").")
  private @Nullable Path certificates;

  /** Created by the command line. */
  public ScrapeOptions() {}

  /** Refuses certificates for a listener that there is not. */
  public static void refuseIneffective(CommandSpec spec, ScrapeSettings settings) {
    if (settings.listen().isEmpty()) {
      IneffectiveOptions.refuse(
          spec, "while metrics are not served over TLS", List.of("--metrics-certificates"));
    }
  }

  /**
   * Puts over what the file says what flags and environment say.
   *
   * @throws IllegalArgumentException if the address is none; the message is for the user
   */
  public ScrapeSettings prevailing(ScrapeSettings file) {
    return new ScrapeSettings(
        listen == null || listen.isEmpty() ? file.listen() : ScrapeSettings.parse(listen),
        certificates == null ? file.certificates() : certificates);
  }
}
