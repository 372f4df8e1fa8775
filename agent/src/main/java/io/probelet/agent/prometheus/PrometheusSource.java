package io.probelet.agent.prometheus;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

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
record PrometheusSource(
    URI url,
    Optional<Path> tokenFile,
    Optional<Path> caFile,
    String matchers,
    Set<String> labels,
    Instant start,
    Instant end,
    Duration step) {}
