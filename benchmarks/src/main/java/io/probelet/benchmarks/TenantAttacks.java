package io.probelet.benchmarks;

import io.probelet.benchmarks.HostileTarget.Way;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Hostile annotations of a pod: each attack was found to take over, end or blind an agent of 0.1.0.
 * They name only loopback addresses of this machine.
 */
final class TenantAttacks {
  /** A secret in a query, which must never appear in an event or a log. */
  static final String SECRET = "s3cr3t-of-the-tenant";

  private static final String PROBES = "probelet.io/probes";

  private final Map<Way, Integer> badServers;
  private final int refused;
  private final int agent;
  private final String fifo;

  /**
   * Prepares them.
   *
   * @param refused an unused port
   * @param agent the port of the agent's own API
   * @param fifo a pipe without a writer
   */
  TenantAttacks(Map<Way, Integer> badServers, int refused, int agent, String fifo) {
    this.badServers = badServers;
    this.refused = refused;
    this.agent = agent;
    this.fifo = fifo;
  }

  /** {@return the annotations of each attacking pod, by name of the attack} */
  SequencedMap<String, Map<String, String>> annotations(String victim) {
    SequencedMap<String, Map<String, String>> attacks = new LinkedHashMap<>();
    attacks.put(
        "identity",
        Map.of(
            "kubernetes.io/config.mirror",
            victim,
            "probelet.io/enforcement",
            "enforce",
            PROBES,
            failing("liveness")));
    attacks.put(
        "enforce",
        Map.of(
            "probelet.io/enforcement",
            "enforce",
            "probelet.io/probe-sources",
            "spec,annotation",
            PROBES,
            failing("liveness")));
    probes(attacks, "regex-stack", body("matches: '(a?){1000}'"));
    probes(attacks, "regex-program", body("matches: '" + "(\\\\pL{30}){30}".repeat(20) + "'"));
    probes(attacks, "regex-many", body("matches: [" + many("'[a-z]{99}x%d?'", 240) + "]"));
    probes(
        attacks,
        "expression",
        "web: {readiness: {httpGet: {path: /, port: %d}, period: 100ms, expect: {cel: \"[body]%s == [body]\"}}}"
            .formatted(badServers.get(Way.ENDLESS), ".map(x,[x,x])".repeat(20)));
    probes(attacks, "json-pointers", json());
    probes(attacks, "aliases", aliases());
    probes(attacks, "large", large());
    probes(attacks, "unknown-fields", "web: {readiness: {" + many("unknown%d: 1", 1000) + "}}");
    probes(attacks, "zero-file", tls("{caFile: /dev/zero}"));
    probes(attacks, "pipe", tls("{caFile: " + fifo + "}"));
    probes(attacks, "node-keys", tls("{certFile: /etc/shadow, keyFile: /etc/shadow}"));
    probes(attacks, "own-api", http(agent, "host: 127.0.0.1, path: /metrics"));
    probes(attacks, "exec", "web: {liveness: {exec: {command: [id]}, period: 100ms}}");
    probes(attacks, "secrets", http(refused, "path: '/x?token=" + SECRET + "'"));
    badServers.forEach((way, port) ->
        probes(attacks, "server-" + way.name().toLowerCase(java.util.Locale.ROOT), flood(port)));
    return attacks;
  }

  /** An annotation that is invalid in a different way each time. */
  static String churn(int round) {
    return "web: {readiness: {period: 1ms, wrong-" + round + ": true}}";
  }

  private static void probes(
      Map<String, Map<String, String>> attacks, String name, String annotation) {
    attacks.put(name, Map.of(PROBES, annotation));
  }

  private String failing(String kind) {
    return "web: {%s: {tcpSocket: {port: %d}, period: 100ms, failureThreshold: 1}}"
        .formatted(kind, refused);
  }

  private String body(String rule) {
    return "web: {readiness: {httpGet: {path: /, port: %d}, period: 100ms, expect: {body: {%s}}}}"
        .formatted(badServers.get(Way.ENDLESS), rule);
  }

  private String http(int port, String more) {
    return "web: {readiness: {httpGet: {port: %d, %s}, period: 100ms}}".formatted(port, more);
  }

  private String tls(String options) {
    return "web: {readiness: {httpGet: {port: %d, scheme: HTTPS}, period: 100ms, tls: %s}}"
        .formatted(badServers.get(Way.EXPIRED), options);
  }

  private String flood(int port) {
    return "web: {readiness: {anyOf: ["
        + many("{httpGet: {path: /%d, port: " + port + "}}", 16)
        + "], period: 100ms, timeout: 10s}}";
  }

  private String aliases() {
    String one = "{httpGet: {path: /, port: " + badServers.get(Way.SILENT) + "}}";
    return "web:\n  readiness:\n    period: 100ms\n    allOf:\n"
        + "    - allOf: &b\n      - allOf: &a ["
        + many(one + "%.0s", 16)
        + "]\n"
        + "      - allOf: *a\n".repeat(15)
        + "    - allOf: *b\n".repeat(15);
  }

  private static String large() {
    return "web: {readiness: {period: 1s}}\n".repeat(7000);
  }

  private String json() {
    return "web: {readiness: {httpGet: {path: /, port: %d}, period: 100ms, expect: {body: {json: [%s]}}}}"
        .formatted(badServers.get(Way.JSON), many("{pointer: /a/0/a/%d, equals: 1}", 700));
  }

  private static String many(String format, int number) {
    List<String> items = new ArrayList<>();
    IntStream.range(0, number).forEach(i -> items.add(format.formatted(i)));
    return items.stream().collect(Collectors.joining(", "));
  }
}
