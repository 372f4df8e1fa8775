package io.probelet.probe.http;

import static io.probelet.probe.http.HttpProbing.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpExpectation.HeaderRule;
import io.probelet.probe.HttpExpectation.Response;
import io.probelet.probe.HttpExpectation.ResponseCondition;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.net.ScriptedServer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A condition for the whole response, on real sockets (H-20). */
class ResponseConditionTest {
  @RegisterExtension static final HttpProbing PROBING = new HttpProbing();

  private final List<Response> seen = new CopyOnWriteArrayList<>();

  private final ResponseCondition holds =
      response -> {
        seen.add(response);
        return null;
      };

  private static Verdict verdict(String answer, HttpExpectation expected) throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(answer)) {
      return PROBING.verdict(
          new HttpGet(
              new Port.Numeric(server.port()),
              null,
              "/",
              Scheme.HTTP,
              List.of(),
              TlsOptions.INSECURE,
              expected));
    }
  }

  private static HttpExpectation expecting(ResponseCondition condition) {
    return new HttpExpectation(List.of(), List.of(), List.of(), condition, false);
  }

  @Test
  @DisplayName("H-20 a condition sees status, headers, body, JSON and the completed phases")
  void seesTheResponse() throws Exception {
    String answer =
        "HTTP/1.1 200 OK\r\nX-State: a\r\nx-state: b\r\nContent-Length: 8\r\n\r\n{\"n\": 1}";

    assertThat(verdict(answer, expecting(holds))).isEqualTo(new Success("{\"n\": 1}"));

    Response response = seen.getFirst();
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.headers())
        .containsEntry("x-state", "a, b")
        .containsEntry("content-length", "8");
    assertThat(response.body()).isEqualTo("{\"n\": 1}");
    assertThat(response.json().get("n").intValue()).isEqualTo(1);
    assertThat(response.phases()).containsOnlyKeys("connect", "first_byte", "total");
    assertThat(response.phases().values()).allMatch(phase -> phase.isPositive());
    assertThat(response.phases().get("total"))
        .isGreaterThanOrEqualTo(
            response.phases().get("connect").plus(response.phases().get("first_byte")));
  }

  @Test
  @DisplayName("H-20 a condition that does not hold is a Failure with cause expect")
  void fails() throws Exception {
    Verdict verdict = verdict(response(200, "ok"), expecting(_ -> "expression is false: x"));

    assertThat(verdict.text()).isEqualTo("HTTP probe failed: expression is false: x");
    assertThat(((Failure) verdict).cause()).isEqualTo(Verdict.Cause.EXPECT);
  }

  @Test
  @DisplayName("H-20 without statuses the condition decides on the status, too; with them both do")
  void decidesOnTheStatus() throws Exception {
    assertThat(verdict(response(503, "draining"), expecting(holds)).healthy()).isTrue();
    assertThat(seen).extracting(Response::status).containsExactly(503);

    HttpExpectation both = new HttpExpectation(List.of(200), List.of(), List.of(), holds, false);
    assertThat(verdict(response(503, "draining"), both).text())
        .isEqualTo("HTTP probe failed with statuscode: 503, expected [200]");
    assertThat(seen).hasSize(1);
  }

  @Test
  @DisplayName("H-20 other rules come first")
  void comesAfterOtherRules() throws Exception {
    HttpExpectation rules =
        new HttpExpectation(
            List.of(), List.of(new HeaderRule("x-missing", null)), List.of(), holds, false);

    assertThat(verdict(response(200, "ok"), rules).text())
        .isEqualTo("HTTP probe failed: header x-missing is missing");
    assertThat(seen).isEmpty();
  }

  @Test
  @DisplayName("H-20 H-5 a body that breaks off is a Failure, and one that is cut is no JSON")
  void brokenAndCutBodies() throws Exception {
    String broken = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{";
    assertThat(verdict(broken, expecting(holds))).isInstanceOf(Failure.class);
    assertThat(seen).isEmpty();

    String large = "[" + "1,".repeat(Verdict.OUTPUT_LIMIT) + "1]";
    assertThat(verdict(response(200, large), expecting(holds)).healthy()).isTrue();
    assertThat(seen.getFirst().json()).isNull();
    assertThat(seen.getFirst().body()).hasSize(Verdict.OUTPUT_LIMIT);
  }

  @Test
  @DisplayName("H-20 of a hostile server's headers 16 KiB are kept, names counted in")
  void manyHeaders() throws Exception {
    StringBuilder headers = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      headers.append("x-%05d: \r\n".formatted(i));
    }
    String answer = "HTTP/1.1 200 OK\r\n" + headers + "Content-Length: 2\r\n\r\nok";

    assertThat(verdict(answer, expecting(holds)).healthy()).isTrue();
    assertThat(seen.getFirst().headers()).hasSize(16 * 1024 / "x-00000".length());
  }
}
