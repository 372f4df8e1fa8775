package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.manifest.pod.Mode;
import io.probelet.probe.ProbeKind;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** However much an annotation asks for, a pod gets so much and no more, and is told so briefly. */
class AnnotationTotalsTest {
  private static final String FIELD = "metadata.annotations[probelet.io/probes]";

  private static Reading read(String annotation) {
    return Reading.of(
        Reading.pod("livenessProbe: {httpGet: {port: 80}}")
            .replace(
                "metadata: {name: test}",
                "metadata:\n  name: test\n  annotations:\n    probelet.io/probes: |\n"
                    + annotation.indent(6).stripTrailing()),
        Mode.PROBES_ONLY);
  }

  private static String repeated(int times, String item) {
    return IntStream.range(0, times).mapToObj(_ -> item).collect(Collectors.joining(", "));
  }

  private static String combined(int parts) {
    return "allOf: [" + repeated(parts, "{tcpSocket: {port: 80}}") + "]";
  }

  @Test
  @DisplayName("16 x 16 x 16 handlers by aliases are refused; the spec's probe stays")
  void multipliedByAliases() {
    String annotation =
        """
        web:
          readiness:
            period: 100ms
            allOf: [&b {allOf: [&a {allOf: [&h {tcpSocket: {port: 80}}, %1$s]}, %2$s]}, %3$s]
        """
            .formatted(repeated(15, "*h"), repeated(15, "*a"), repeated(15, "*b"));
    Reading reading = read(annotation);
    assertThat(reading.complaints())
        .singleElement()
        .asString()
        .startsWith(FIELD + ": holds more than 4000 values, aliases expanded");
  }

  @Test
  @DisplayName("32 handlers and 50 probes a second is what a pod may have, all containers together")
  void handlers() {
    String most = "web: {readiness: {%s}, startup: {%s}}".formatted(combined(16), combined(16));
    assertThat(read(most).problems()).isEmpty();
    assertThat(read(most.replace("}}]}}", "}}]}, liveness: {tcpSocket: {port: 80}}}")).complaints())
        .containsExactly(
            FIELD
                + ".web.liveness.tcpSocket: Forbidden: annotations of a pod may have at most 32"
                + " handlers");
  }

  @Test
  @DisplayName("a probe that is refused takes nothing from those that are not")
  void refusedTakesNothing() {
    String annotation =
        "web: {startup: {%s, period: soon}, readiness: {%s}, liveness: {%s}}"
            .formatted(combined(16), combined(16), combined(16));
    assertThat(read(annotation).complaints()).singleElement().asString().contains("period");
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {"period: 200ms, ", "period: 10s, failingPeriod: 200ms, ", "period: 319ms, "})
  @DisplayName("the shorter of period and failingPeriod counts, for each part")
  void rate(String periods) {
    assertThat(read("web: {readiness: {%s%s}}".formatted(periods, combined(16))).complaints())
        .singleElement()
        .asString()
        .startsWith(
            FIELD
                + ".web.readiness: Forbidden: annotations of a pod may have at most 50 probes a"
                + " second with parts; this one makes it ");
    assertThat(read("web: {readiness: {period: 320ms, %s}}".formatted(combined(16))).problems())
        .isEmpty();
  }

  static Stream<Arguments> tooMuch() {
    String http = "web: {readiness: {httpGet: {port: 80%s}, expect: {body: {%s}}}}";
    return Stream.of(
        Arguments.of(
            "64 rules for bodies", http.formatted("", "contains: [" + repeated(65, "a") + "]")),
        Arguments.of(
            "16 regular expressions", http.formatted("", "matches: [" + repeated(17, "a") + "]")),
        Arguments.of(
            "128 values under equals",
            http.formatted("", "json: [{pointer: /a, equals: [" + repeated(128, "1") + "]}]")),
        Arguments.of(
            "128 values under equals",
            http.formatted(
                "", "json: [{pointer: /a, equals: [" + repeated(50, "{a: [{}]}") + "]}]")),
        Arguments.of(
            "128 levels of JSON pointers",
            http.formatted("", "json: [" + repeated(43, "{pointer: /a/b/c, equals: 1}") + "]")),
        Arguments.of(
            "1000 different statuses",
            "web: {readiness: {allOf: ["
                + IntStream.range(0, 3)
                    .mapToObj(i ->
                        "{httpGet: {port: 80}, expect: {statuses: [%d-599]}}".formatted(100 + i))
                    .collect(Collectors.joining(", "))
                + "]}}"),
        Arguments.of(
            "128 request headers",
            http.formatted(
                ", httpHeaders: [" + repeated(129, "{name: a, value: b}") + "]", "contains: a")),
        Arguments.of(
            "256 words of commands",
            "web: {readiness: {exec: {command: [%s]}}}".formatted(repeated(257, "a"))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tooMuch")
  void amounts(String most, String annotation) {
    assertThat(read(annotation).complaints())
        .singleElement()
        .asString()
        .endsWith("Forbidden: annotations of a pod may have at most " + most);
  }

  @Test
  @DisplayName("expressions that are refused are not compiled without end, in however many probes")
  void compiling() {
    String many = "matches: [" + repeated(200, "'(a?){1000}'") + "]";
    String probe = "{httpGet: {port: 80}, expect: {body: {%s}}}".formatted(many);
    assertThat(read("web: {readiness: %1$s, startup: %1$s}".formatted(probe)).complaints())
        .filteredOn(each -> each.contains("compiles to"))
        .hasSize(32);
  }

  @Test
  @DisplayName("the same statuses again and again are kept once")
  void equalStatuses() {
    String part = "{httpGet: {port: 80}, expect: {statuses: 200-399}}";
    assertThat(read("web: {readiness: {allOf: [" + repeated(16, part) + "]}}").problems())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q", "LONG"})
  @DisplayName("a JSON pointer has 256 characters and 16 levels")
  void pointers(String pointer) {
    String text = pointer.equals("LONG") ? "/" + "a".repeat(256) : pointer;
    assertThat(
            read("web: {readiness: {httpGet: {port: 80}, expect: {body: {json: [{pointer: %s, equals: 1}]}}}}"
                    .formatted(text))
                .complaints())
        .singleElement()
        .asString()
        .endsWith("must have at most 256 characters and 16 levels");
  }

  @Test
  @DisplayName("32 KiB are read; one byte more is not looked at")
  void bytes() {
    String comment = "web: {readiness: {tcpSocket: {port: 80}}} #";
    String most = comment + "é".repeat((32 * 1024 - comment.length() - 1) / 2);
    most +=
        "x".repeat(32 * 1024 - 1 - most.getBytes(java.nio.charset.StandardCharsets.UTF_8).length);
    assertThat(read(most).probe(ProbeKind.READINESS)).isNotNull();
    assertThat(read(most + "x").complaints())
        .containsExactly(FIELD + ": Too long: has 32769 bytes, at most 32768 are allowed");
  }

  @Test
  @DisplayName("220 KB of one key again and again are not even parsed")
  void duplicateKeys() {
    String keys = "{" + "a: 1, ".repeat(37_000) + "}";
    assertThat(read(keys).complaints())
        .singleElement()
        .asString()
        .startsWith(FIELD + ": Too long: has 2220");
    String shorter = "{" + "a: 1, ".repeat(1_900) + "}";
    assertThat(read(shorter).problems()).hasSizeLessThan(210);
  }
}
