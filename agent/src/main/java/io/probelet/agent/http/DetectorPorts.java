package io.probelet.agent.http;

/**
 * Where node-problem-detector has its two servers.
 *
 * @param status of {@code /conditions} and {@code /healthz}
 * @param metrics of {@code /metrics}
 */
public record DetectorPorts(ListenAddress status, ListenAddress metrics) {}
