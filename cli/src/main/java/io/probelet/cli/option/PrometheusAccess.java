package io.probelet.cli.option;

import io.probelet.rehearsal.prometheus.PrometheusSource;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command that asks a Prometheus: which series, and how it is reached. */
public final class PrometheusAccess {
  private static final int MAX_TEXT = 2_000;

  @Option(
      names = "--match",
      paramLabel = "MATCHERS",
      defaultValue = "",
      description = "Selects one of several clusters, such as 'cluster=\"prod\"'.")
  private String matchers;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "File with the bearer token for Prometheus.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--ca-file",
      paramLabel = "FILE",
      description =
          "PEM file with the certificate authorities to trust for Prometheus (default: the"
              + " system's).")
  private @Nullable Path caFile;

  /** Created by the command line. */
  public PrometheusAccess() {}

  /**
   * {@return what to ask}
   *
   * @param option the option that names the URL, for errors
   * @param url the URL without /api/v1
   * @param labels labels of nodes that are wanted
   * @param start the beginning of the time that is wanted
   * @param end its end
   * @param step the time between two points
   * @throws IllegalArgumentException if an option is invalid; the message is for the user
   */
  public PrometheusSource source(
      String option,
      @Nullable String url,
      Set<String> labels,
      Instant start,
      Instant end,
      Duration step) {
    if (matchers.length() > MAX_TEXT) {
      throw new IllegalArgumentException("--match is longer than " + MAX_TEXT + " characters");
    }
    URI prometheus = PrometheusUrl.parse(option, String.valueOf(url));
    if (tokenFile != null && !prometheus.getScheme().equals("https")) {
      throw new IllegalArgumentException(
          "--token-file requires an https URL: http would expose the token on the network");
    }
    return new PrometheusSource(
        prometheus,
        Optional.ofNullable(tokenFile),
        Optional.ofNullable(caFile),
        matchers,
        labels,
        start,
        end,
        step);
  }
}
