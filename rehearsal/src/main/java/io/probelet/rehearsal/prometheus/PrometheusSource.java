package io.probelet.rehearsal.prometheus;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The source of a tape.
 *
 * @param url of Prometheus, without {@code /api/v1}
 * @param tokenFile file with the bearer token, reread for each request
 * @param caFile certificate authorities to trust instead of the system's
 * @param matchers label matchers of PromQL that select the cluster; possibly empty
 * @param labels full names of node labels, which Prometheus cannot store
 * @param start the first moment
 * @param end the last moment
 * @param step the time between two moments
 */
public record PrometheusSource(
    URI url,
    Optional<Path> tokenFile,
    Optional<Path> caFile,
    String matchers,
    Set<String> labels,
    Instant start,
    Instant end,
    Duration step) {

  /**
   * Creates the tape.
   *
   * @param cluster name of the cluster; possibly empty
   * @param lines receives the tape's lines, without line ends
   * @param full returns whether no more lines are accepted
   * @param random spreads retries
   * @throws PrometheusException if the tape cannot be created
   * @throws InterruptedException if the caller is interrupted
   */
  public Instant makeTape(
      String cluster,
      Consumer<String> lines,
      BooleanSupplier full,
      Random random,
      BiConsumer<Duration, Duration> done)
      throws PrometheusException, InterruptedException {
    PrometheusClient client =
        new PrometheusClient(this, PrometheusClient.TIMEOUT, PrometheusClient.RETRY, random);
    Duration length = Duration.between(start, end);
    return new PrometheusTape(
            this, client, cluster, lines, at -> done.accept(Duration.between(start, at), length))
        .make(full);
  }
}
