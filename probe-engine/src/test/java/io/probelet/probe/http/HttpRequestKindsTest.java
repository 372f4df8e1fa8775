package io.probelet.probe.http;

import static io.probelet.probe.http.HttpProbing.get;
import static io.probelet.probe.http.HttpProbing.response;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.BodyPattern;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpExpectation.BodyRule;
import io.probelet.probe.HttpExpectation.HeaderRule;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Method;
import io.probelet.probe.ProbeHandler.Protocol;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.h2.Frames;
import io.probelet.probe.net.Probing;
import io.probelet.probe.net.ScriptedServer;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests other than Kubernetes' GET, and rules for headers (H-11, H-12). */
class HttpRequestKindsTest {
  @RegisterExtension static final HttpProbing PROBING = new HttpProbing();

  private final List<String> requests = new CopyOnWriteArrayList<>();

  private static HttpGet request(
      ScriptedServer server, Method method, Protocol protocol, HttpExpectation expected) {
    return new HttpGet(
        new Port.Numeric(server.port()),
        null,
        "/",
        Scheme.HTTP,
        List.of(),
        TlsOptions.INSECURE,
        expected,
        method,
        protocol);
  }

  private ScriptedServer serving(String... answers) throws Exception {
    return ScriptedServer.start(connection -> {
      String request = connection.request();
      requests.add(request.lines().findFirst().orElse(""));
      if (request.contains("Content-Length: 0\r\n")) {
        requests.add("empty body");
      }
      connection.send(
          answers[(int) requests.stream().filter(each -> each.contains("/")).count() - 1]);
    });
  }

  @Test
  @DisplayName("H-12 the answer to HEAD ends with its head, whatever length it announces")
  void head() throws Exception {
    try (ScriptedServer server =
        ScriptedServer.start(connection -> {
          requests.add(connection.request());
          connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
          connection.hang();
        })) {
      assertThat(
              PROBING.verdict(
                  request(server, Method.HEAD, Protocol.HTTP1, HttpExpectation.KUBELET)))
          .isEqualTo(new Success(""));
    }
    assertThat(requests).singleElement().asString().startsWith("HEAD / HTTP/1.1\r\n");
  }

  @Test
  @DisplayName("H-12 POST has a body of no bytes, and its failures are named as in Go")
  void post() throws Exception {
    try (ScriptedServer server = serving("", response(200, "done"))) {
      HttpGet post = request(server, Method.POST, Protocol.HTTP1, HttpExpectation.KUBELET);
      assertThat(PROBING.verdict(post).text())
          .isEqualTo("Post \"http://127.0.0.1:" + server.port() + "/\": EOF");
      assertThat(PROBING.verdict(post)).isEqualTo(new Success("done"));
    }
    assertThat(requests)
        .containsExactly("POST / HTTP/1.1", "empty body", "POST / HTTP/1.1", "empty body");
  }

  @ParameterizedTest
  @CsvSource({"302, GET", "303, GET", "307, POST", "308, POST"})
  @DisplayName("H-12 a redirected POST becomes a GET, as in Go, unless its status forbids it")
  void redirectedPost(int status, String second) throws Exception {
    String redirect = "HTTP/1.1 " + status + " x\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n";
    try (ScriptedServer server = serving(redirect, response(200, "done"))) {
      assertThat(
              PROBING.verdict(
                  request(server, Method.POST, Protocol.HTTP1, HttpExpectation.KUBELET)))
          .isEqualTo(new Success("done"));
    }
    assertThat(requests).contains("POST / HTTP/1.1", second + " /b HTTP/1.1");
  }

  @Test
  @DisplayName("H-11 HTTP/2 without TLS: the preface comes first, and the scheme is http")
  void priorKnowledge() throws Exception {
    try (ScriptedServer server =
        ScriptedServer.start(connection -> {
          Frames.preface(connection);
          Frames.send(connection, Frames.SETTINGS);
          Frames.await(connection, 1);
          Frames.send(
              connection,
              Frames.headers(1, false, Frames.STATUS_200, Frames.field("x-state", "up")),
              Frames.data(1, true, new byte[] {'o', 'k'}));
          Frames.drain(connection);
        })) {
      assertThat(
              PROBING.verdict(
                  request(
                      server,
                      Method.GET,
                      Protocol.HTTP2,
                      rules(new HeaderRule("x-state", new BodyRule.Contains("up"))))))
          .isEqualTo(new Success("ok"));
    }
  }

  @Test
  @DisplayName("H-11 a server that speaks HTTP/1.1 only is a Failure, with a reason")
  void noHttp2() throws Exception {
    try (ScriptedServer server =
        ScriptedServer.start(connection -> connection.send("HTTP/1.1 400 Bad Request\r\n\r\n"))) {
      Verdict verdict =
          PROBING.verdict(request(server, Method.GET, Protocol.HTTP2, HttpExpectation.KUBELET));
      assertThat(verdict).isInstanceOf(Verdict.Failure.class);
      assertThat(verdict.text()).contains("Get \"http://127.0.0.1:").contains("HTTP/2");
    }
  }

  private static HttpExpectation rules(HeaderRule... rules) {
    return new HttpExpectation(List.of(), List.of(rules), List.of());
  }

  private static Verdict verdict(String headers, HeaderRule rule) throws Exception {
    String answer = "HTTP/1.1 200 OK\r\n" + headers + "Content-Length: 2\r\n\r\nok";
    try (ScriptedServer server = ScriptedServer.answering(answer)) {
      return PROBING.verdict(request(server, Method.GET, Protocol.HTTP1, rules(rule)));
    }
  }

  @Test
  @DisplayName("H-12 rules for headers: names in any case, several values joined by commas")
  void headerRules() throws Exception {
    HeaderRule present = new HeaderRule("x-state", null);
    HeaderRule both = new HeaderRule("x-state", new BodyRule.Matches(BodyPattern.of("^a, b$")));
    HeaderRule not = new HeaderRule("x-state", new BodyRule.NotContains("b"));
    String twice = "X-State: a\r\nx-sTATE:  b \r\n";

    assertThat(verdict(twice, present)).isEqualTo(new Success("ok"));
    assertThat(verdict(twice, both)).isEqualTo(new Success("ok"));
    assertThat(verdict(twice, not).text())
        .isEqualTo("HTTP probe failed: header x-state contains \"b\"");
    Verdict missing = verdict("", present);
    assertThat(missing.text()).isEqualTo("HTTP probe failed: header x-state is missing");
    assertThat(((Verdict.Failure) missing).cause()).isEqualTo(Verdict.Cause.EXPECT);
  }

  @Test
  @DisplayName("H-12 what a server sends beyond 16 KiB of the headers that are asked for is unseen")
  void manyHeaders() throws Exception {
    String line = "X-State: " + "a".repeat(1_000) + "\r\n";
    HeaderRule last = new HeaderRule("x-state", new BodyRule.Contains("z"));

    assertThat(verdict(line.repeat(10) + "X-State: z\r\n", last)).isEqualTo(new Success("ok"));
    assertThat(verdict(line.repeat(17) + "X-State: z\r\n", last).text())
        .isEqualTo("HTTP probe failed: header x-state does not contain \"z\"");
  }

  @Test
  @DisplayName("H-12 headers of an interim answer do not count")
  void interimHeadersDoNotCount() throws Exception {
    try (ScriptedServer server =
        ScriptedServer.answering(
            "HTTP/1.1 103 Early\r\nX-State: up\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) {
      HttpExpectation expected = rules(new HeaderRule("x-state", null));
      assertThat(PROBING.verdict(request(server, Method.GET, Protocol.HTTP1, expected)).text())
          .isEqualTo("HTTP probe failed: header x-state is missing");
    }
  }

  private static Verdict webSocket(String answer, HeaderRule... rules) throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(answer)) {
      return PROBING.verdict(request(server, Method.GET, Protocol.WEBSOCKET, rules(rules)));
    }
  }

  @Test
  @DisplayName("H-17 a WebSocket: status 101, the key accepted, and the headers that are asked for")
  void webSockets() throws Exception {
    String switching = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n";
    String accepted = "Sec-WebSocket-Accept: " + accept("dGhlIHNhbXBsZSBub25jZQ==") + "\r\n";
    HeaderRule chat = new HeaderRule("sec-websocket-protocol", new BodyRule.Contains("chat"));

    assertThat(webSocket(switching + accepted + "\r\n").healthy()).isTrue();
    assertThat(webSocket(switching + "\r\n").text())
        .isEqualTo("HTTP probe failed: header sec-websocket-accept is missing");
    assertThat(webSocket(switching + "Sec-WebSocket-Accept: bm8=\r\n\r\n").text())
        .startsWith("HTTP probe failed: header sec-websocket-accept does not contain");
    assertThat(webSocket(response(200, "hello")).text())
        .isEqualTo("HTTP probe failed with statuscode: 200, expected [101]");
    assertThat(webSocket(switching + accepted + "\r\n", chat).text())
        .isEqualTo("HTTP probe failed: header sec-websocket-protocol is missing");
    try (ScriptedServer server =
        ScriptedServer.start(connection -> requests.add(connection.request()))) {
      PROBING.verdict(request(server, Method.GET, Protocol.WEBSOCKET, HttpExpectation.KUBELET));
    }
    assertThat(requests)
        .singleElement()
        .asString()
        .contains("Connection: Upgrade\r\n", "Upgrade: websocket\r\n")
        .contains("Sec-Websocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", "Version: 13\r\n")
        .doesNotContain("close");
  }

  /** As RFC 6455 has servers make it. */
  private static String accept(String key) throws Exception {
    byte[] both = (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(UTF_8);
    return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(both));
  }

  @Test
  @DisplayName("H-12 notContains looks at the first 10 KiB of a body, as all rules do")
  void notContains() throws Exception {
    HttpExpectation calm =
        new HttpExpectation(List.of(), List.of(new BodyRule.NotContains("error")));
    try (ScriptedServer server = ScriptedServer.answering(response(200, "an error"))) {
      Verdict verdict = PROBING.verdict(request(server, Method.GET, Protocol.HTTP1, calm));
      assertThat(verdict.text()).isEqualTo("HTTP probe failed: body contains \"error\"");
      assertThat(((Verdict.Failure) verdict).cause()).isEqualTo(Verdict.Cause.BODY);
    }
    String late = "-".repeat(Verdict.OUTPUT_LIMIT) + "error";
    try (ScriptedServer server = ScriptedServer.answering(response(200, late))) {
      assertThat(PROBING.verdict(request(server, Method.GET, Protocol.HTTP1, calm)).healthy())
          .isTrue();
    }
  }

  @Test
  @DisplayName("the loop carries out other probes while rules are checked")
  void loopIsFree() throws Exception {
    BodyRule heavy = new BodyRule.Matches(BodyPattern.of("(a?){240}b"));
    HttpExpectation expectation = new HttpExpectation(List.of(), Collections.nCopies(100, heavy));
    try (ScriptedServer server =
        ScriptedServer.answering(response(200, "a".repeat(10_200) + "b"))) {
      HttpGet handler = get(server.port(), Scheme.HTTP, expectation);
      CompletableFuture<ProbeOutcome> slow =
          PROBING
              .probing()
              .start(
                  done -> PROBING.prober().probe(handler, Probing.target(), Probing.TIMEOUT, done));
      assertThat(PROBING.verdict(get(server.port(), "/")).healthy()).isTrue();
      assertThat(slow.join().verdict().text()).contains("took longer than 300 ms");
    }
  }
}
