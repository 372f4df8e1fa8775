package io.probelet.benchmarks;

import static java.util.stream.Collectors.joining;

import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * An annotation {@code probelet.io/probes} for a container "web" that uses up the limits of one
 * pod: 32 KiB of text, 32 handlers, and the maximum of headers, rules and values.
 */
final class LargestAnnotation {
  private static final int BYTES = 32 * 1024;
  private static final int HANDLERS = 32;
  private static final int PATTERNS = 16;

  /** Terms that make an expression of just below 512 characters. */
  private static final int TERMS = 19;

  private LargestAnnotation() {}

  /** Creates an annotation that differs from all others. */
  static String of(int pod) {
    String empty = text(pod, 0);
    int spare = (BYTES - empty.getBytes(StandardCharsets.UTF_8).length) / HANDLERS;
    return text(pod, spare);
  }

  private static String text(int pod, int padding) {
    // The failure threshold is never reached, so that all probes continue.
    String timing = "period: 30s, failureThreshold: 1000000";
    return "web: {liveness: {%s, allOf: [%s]}, readiness: {%s, allOf: [%s]}}"
        .formatted(timing, handlers(pod, 0, padding), timing, handlers(pod, HANDLERS / 2, padding));
  }

  private static String handlers(int pod, int from, int padding) {
    return list(HANDLERS / 2, i -> handler(pod, from + i, padding));
  }

  private static String handler(int pod, int number, int padding) {
    // One letter beyond Latin-1 makes the JVM use two bytes for each letter.
    String path = "/ж" + pod + "-" + number + "x".repeat(padding);
    String headers = list(4, i -> "{name: h%d, value: v%d}".formatted(i, pod));
    String rule =
        number < PATTERNS
            ? "matches: '[a-f]{9}%d(x|y)*'".formatted(number)
            : "contains: c" + number;
    String json =
        "{pointer: %s, equals: [%s]}".formatted("/p" + "/a".repeat(3), list(3, _ -> "{}"));
    return "{httpGet: {port: 9, path: %s, httpHeaders: [%s]}, expect: {statuses: [%s], body: {%s, json: [%s]}%s}}"
        .formatted(
            path,
            headers,
            number < 2 ? "%d-598".formatted(101 + number) : "200",
            rule,
            json,
            number == 0 ? ", cel: \"" + expression(pod) + "\"" : "");
  }

  private static String expression(int pod) {
    return IntStream.range(0, TERMS)
        .mapToObj(i -> "json.a.b%d == 'pod %d'".formatted(i, pod))
        .collect(joining(" || "));
  }

  private static String list(int size, IntFunction<String> item) {
    return IntStream.range(0, size).mapToObj(item).collect(joining(","));
  }
}
