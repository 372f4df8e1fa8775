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
 * What to make a tape of.
 *
 * @param url of Prometheus, without {@code /api/v1}
 * @param tokenFile holds the bearer token, read anew for each request
 * @param caFile whom to trust instead of the system's authorities
 * @param matchers label matchers of PromQL that choose the cluster; possibly empty
 * @param labels full names of labels of nodes, which Prometheus cannot keep
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
   * Makes the tape.
   *
   * @param cluster what to call the cluster; possibly empty
   * @param lines takes the tape's lines, without their ends
   * @param full says whether no more lines are taken
   * @param random spreads requests that are made again
   * @throws PrometheusException if it cannot be made
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
