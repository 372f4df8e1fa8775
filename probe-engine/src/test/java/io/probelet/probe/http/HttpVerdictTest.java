package io.probelet.probe.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.probe.BodyPattern;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpExpectation.BodyRule;
import io.probelet.probe.PodRef;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.http.HttpResponse.BodyHead;
import io.probelet.probe.rule.BodyRuleThreads;
import io.probelet.probe.rule.TextRules;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expectations from the annotation, which replace H-3. */
class HttpVerdictTest {

  @ParameterizedTest
  @CsvSource({"204,true", "200,false", "302,true", "500,true"})
  @DisplayName("only the listed statuses are accepted, whatever the kubelet makes of them")
  void statuses(int status, boolean accepted) {
    Verdict verdict = judge(status, "", new HttpExpectation(List.of(204, 302, 500), List.of()));
    assertThat(verdict)
        .isEqualTo(
            accepted
                ? new Success("")
                : new Failure("HTTP probe failed with statuscode: 200, expected [204, 302, 500]"));
  }

  @Test
  @DisplayName("without listed statuses 200 to 399 are accepted, a terminated redirect, too")
  void defaultStatuses() {
    HttpExpectation any = new HttpExpectation(List.of(), List.of(new BodyRule.Contains("up")));
    assertThat(judge(399, "up", any)).isEqualTo(new Success("up"));
    assertThat(judge(400, "up", any))
        .isEqualTo(new Failure("HTTP probe failed with statuscode: 400"));
  }

  @Test
  @DisplayName("a body must contain a text; the message omits the actual body")
  void contains() {
    HttpExpectation expected = body(new BodyRule.Contains("ready"));
    assertThat(judge(200, "is ready.", expected)).isEqualTo(new Success("is ready."));
    assertThat(judge(200, "secret", expected))
        .isEqualTo(new Failure("HTTP probe failed: body does not contain \"ready\""));
  }

  @Test
  @DisplayName("a body must contain a match")
  void matches() {
    HttpExpectation expected = body(new BodyRule.Matches(BodyPattern.of("up: [0-9]+")));
    assertThat(judge(200, "now up: 12!", expected)).isEqualTo(new Success("now up: 12!"));
    assertThat(judge(200, "up: ", expected))
        .isEqualTo(new Failure("HTTP probe failed: body does not match \"up: [0-9]+\""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/status | \"UP\" | {\"status\":\"UP\"}  |",
        "/n      | 1      | {\"n\":1.0}          |",
        "/n      | 1.0    | {\"n\":1}            |",
        "/n      | 100    | {\"n\":1e2}          |",
        "/a/1    | null   | {\"a\":[0,null]}     |",
        "''      | [1,{\"a\":2}] | [1.0,{\"a\":2.00}] |",
        "/n      | 1      | {\"n\":\"1\"}        | body's value at \"/n\" is not 1",
        "/n      | 1      | {\"n\":1e99999999}   | body's value at \"/n\" is not 1",
        "/status | \"UP\" | {\"status\":\"DOWN\"} | body's value at \"/status\" is not \"UP\"",
        "/x      | null   | {}                   | body has no value at \"/x\"",
        "/status | \"UP\" | UP                   | body is not JSON",
        "/status | \"UP\" | {\"status\":\"UP\"   | body is not JSON"
      })
  @DisplayName("a body's value at a JSON pointer must equal the expected one, 1 and 1.0 alike")
  void json(String pointer, String value, String body, String failure) throws Exception {
    assertThat(judge(200, body, body(equality(pointer, value))))
        .isEqualTo(
            failure == null ? new Success(body) : new Failure("HTTP probe failed: " + failure));
  }

  @Test
  @DisplayName("H-5 JSON that goes beyond 10 KiB is not JSON, and the message says why")
  void cutJson() throws Exception {
    String body = "{\"a\":\"" + "x".repeat(Verdict.OUTPUT_LIMIT) + "\"}";
    assertThat(judge(200, body, body(equality("/a", "1"))))
        .isEqualTo(new Failure("HTTP probe failed: body is not JSON within its first 10 KiB"));
  }

  @Test
  @DisplayName("every rule must hold; the first broken rule is reported")
  void allRules() throws Exception {
    HttpExpectation expected =
        body(new BodyRule.Contains("a"), new BodyRule.Contains("b"), equality("", "1"));
    assertThat(judge(200, "a", expected).text()).endsWith("contain \"b\"");
  }

  private static BodyRule equality(String pointer, String value) throws JsonProcessingException {
    return new BodyRule.JsonEquals(
        JsonPointer.compile(pointer), new ObjectMapper().readTree(value));
  }

  private static HttpExpectation body(BodyRule... rules) {
    return new HttpExpectation(List.of(), List.of(rules));
  }

  private static Verdict judge(int status, String body, HttpExpectation expected) {
    BodyHead head = new BodyHead();
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    head.add(bytes, 0, bytes.length);
    Verdict byStatus = HttpVerdict.of(new HttpResponse(status, null, Map.of(), head), expected);
    return expected.body().isEmpty() || !byStatus.healthy()
        ? byStatus
        : new BodyRuleThreads()
            .check(
                pod("pod"),
                "HTTP",
                List.of(
                    new TextRules(
                        "body", head.text(), head.full(), expected.body(), Verdict.Cause.BODY)),
                head.text())
            .verdict()
            .join();
  }

  private static PodRef pod(String name) {
    return new PodRef("default", name, "uid-" + name);
  }
}
