package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpExpectation.Response;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeKind;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expressions over HTTP responses (P-40, H-20). */
class ResponseExpressionTest {
  private static final String[] KINDS = {"liveness", "readiness", "startup"};

  private static Reading read(String... expressions) {
    StringBuilder annotation = new StringBuilder();
    for (int i = 0; i < expressions.length; i++) {
      annotation.append(
          """
                  %s:
                    httpGet: {port: 1}
                    expect:
                      cel: |-
          %s\
          """
              .formatted(KINDS[i], expressions[i].indent(14)));
    }
    return Reading.of(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: web
          annotations:
            probelet.io/probes: |
              web:
        %s
        spec:
          containers: [{name: web, image: shop, command: [./shop]}]
        """
            .formatted(annotation));
  }

  private static HttpExpectation expectation(String expression) {
    Reading reading = read(expression);
    assertThat(reading.lines()).isEmpty();
    return ((HttpGet) reading.probe(ProbeKind.LIVENESS).handler()).expectation();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      nullValues = "holds",
      value = {
        "status == 200 && headers['x-state'] == 'a, b' && body.contains('up') ; holds",
        "json.state == 'up' && phases.first_byte < duration('1s') ; holds",
        "!has(phases.tls) ; holds",
        "status == 503 || json.n > 5 ; expression is false: status == 503 || json.n > 5",
        "json.missing == 1 ; expression has no value, a field or key is missing: evaluation error at"
            + " <input>:4: key 'missing' is not present in map.: json.missing == 1",
      })
  @DisplayName("H-20 an expression holds, or says that it is false, or why it has no value")
  void evaluates(String expression, String broken) throws Exception {
    Response response =
        new Response(
            200,
            Map.of("x-state", "a, b"),
            "{\"state\": \"up\"}",
            new ObjectMapper().readTree("{\"state\": \"up\", \"n\": 1}"),
            Map.of("first_byte", Duration.ofMillis(3)));

    assertThat(expectation(expression).condition().broken(response)).isEqualTo(broken);
  }

  @Test
  @DisplayName("H-20 without a body in JSON, json has no value")
  void withoutJson() {
    Response response = new Response(200, Map.of(), "up", null, Map.of());

    assertThat(expectation("json.n == 1").condition().broken(response))
        .startsWith("expression has no value, ");
    assertThat(expectation("body == \"up\" || json.n == 1").condition().broken(response)).isNull();
  }

  @Test
  @DisplayName("P-40 an invalid expression is reported with file, line, field and its own position")
  void invalid() {
    assertThat(read("status == 200 &&\nphases.dns < duration(\"1s\")").lines())
        .singleElement()
        .asString()
        .startsWith("11:18: error: document 1: ")
        .contains("web.liveness.expect.cel: Invalid value: ")
        .contains("line 2, column 7: unknown field 'dns'");
  }

  @Test
  @DisplayName("P-40 the expressions of a pod have at most 512 characters together")
  void tooMany() {
    String most = "status == 200" + " && status == 200".repeat(13);

    assertThat(read(most, most).lines()).isEmpty();
    assertThat(read(most, most, most).complaints())
        .singleElement()
        .asString()
        .endsWith(
            ".expect.cel: Forbidden: annotations of a pod may have at most 512 characters of"
                + " expressions");
  }

  @Test
  @DisplayName("P-40 equal texts make equal expectations, so that a running probe stays")
  void equal() {
    assertThat(expectation("status == 200"))
        .isEqualTo(expectation("status == 200"))
        .isNotEqualTo(expectation("status == 201"));
  }
}
