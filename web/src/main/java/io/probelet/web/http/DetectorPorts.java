package io.probelet.web.http;

import java.util.Optional;

/**
 * Where node-problem-detector has its two servers.
 *
 * @param status of {@code /conditions} and {@code /healthz}; empty for nowhere
 * @param metrics of {@code /metrics}; empty for nowhere
 */
public record DetectorPorts(Optional<ListenAddress> status, Optional<ListenAddress> metrics) {}
