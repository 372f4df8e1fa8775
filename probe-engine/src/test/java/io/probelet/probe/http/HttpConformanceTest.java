package io.probelet.probe.http;

import static io.probelet.probe.http.HttpProbing.get;
import static io.probelet.probe.http.HttpProbing.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.HttpHeader;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.Verdict.Warning;
import io.probelet.probe.net.ScriptedServer;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The numbered cases C-1 to C-15 of the specification. */
class HttpConformanceTest {
  @RegisterExtension static final HttpProbing PROBING = new HttpProbing();

  private final HttpServerPaths paths = new HttpServerPaths();

  @Test
  @DisplayName("C-1 200 \"ok body\" is success with that output")
  void c1() throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(response(200, "ok body"))) {
      assertThat(PROBING.verdict(get(server.port(), "/"))).isEqualTo(new Success("ok body"));
    }
  }

  @Test
  @DisplayName(
      "C-2 without headers given, exactly Accept, Connection, User-Agent and Host are sent")
  void c2() throws Exception {
    try (ScriptedServer server = serving(Map.of("/", response(200, "")))) {
      PROBING.verdict(get(server.port(), "/"));
      assertThat(paths.requests())
          .containsExactly(
              "GET / HTTP/1.1\r\n"
                  + "Host: 127.0.0.1:"
                  + server.port()
                  + "\r\n"
                  + "User-Agent: probelet/1.2.3\r\n"
                  + "Accept: */*\r\n"
                  + "Connection: close\r\n"
                  + "\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "foo", ""})
  @DisplayName("C-3 Accept-Encoding is sent as given, the empty one too")
  void c3(String value) throws Exception {
    assertThat(sent("Accept-Encoding", new HttpHeader("Accept-Encoding", value)))
        .containsExactly(value);
  }

  @Test
  @DisplayName("C-4 an empty User-Agent given: none is sent")
  void c4() throws Exception {
    assertThat(sent("User-Agent", new HttpHeader("User-Agent", ""))).isEmpty();
  }

  @Test
  @DisplayName("C-5 an empty Accept given: none is sent")
  void c5() throws Exception {
    assertThat(sent("Accept", new HttpHeader("Accept", ""))).isEmpty();
  }

  @Test
  @DisplayName("C-6 a Host given is the host the server sees")
  void c6() throws Exception {
    assertThat(sent("Host", new HttpHeader("Host", "muffins.cupcakes.org")))
        .containsExactly("muffins.cupcakes.org");
  }

  @ParameterizedTest
  @CsvSource({
    "500,HTTP probe failed with statuscode: 500",
    "404,HTTP probe failed with statuscode: 404",
    "999,HTTP probe failed with statuscode: 999",
    "099,HTTP probe failed with statuscode: 99"
  })
  @DisplayName("C-7 500, and an invalid code like 999, is failure")
  void c7(String code, String message) throws Exception {
    try (ScriptedServer server =
        ScriptedServer.answering("HTTP/1.1 " + code + " Text\r\nContent-Length: 6\r\n\r\nsecret")) {
      assertThat(PROBING.verdict(get(server.port(), "/"))).isEqualTo(new Failure(message));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "-10", "20", "2000", "abc"})
  @DisplayName("C-7 an invalid code like -1 is failure")
  void c7NoCode(String code) throws Exception {
    try (ScriptedServer server = ScriptedServer.answering("HTTP/1.1 " + code + " Text\r\n\r\n")) {
      assertThat(PROBING.verdict(get(server.port(), "/")))
          .isEqualTo(failure(server, "/", "malformed HTTP status code \"" + code + "\""));
    }
  }

  @Test
  @DisplayName("C-8 server sleeps 3 s, timeout 1 s: failure within 1.05 s")
  void c8() throws Exception {
    try (ScriptedServer server = ScriptedServer.start(ScriptedServer.Connection::hang)) {
      ProbeOutcome outcome = PROBING.probeInTime(get(server.port(), "/x"), Duration.ofSeconds(1));
      assertThat(outcome.verdict())
          .isEqualTo(
              failure(
                  server,
                  "/x",
                  "context deadline exceeded (Client.Timeout exceeded while awaiting headers)"));
      assertThat(Duration.ofNanos(outcome.timings().total()))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }
  }

  static Stream<Arguments> redirects() {
    return Stream.of(301, 302, 303, 307, 308)
        .flatMap(status -> Stream.of(Arguments.of(status, 200), Arguments.of(status, 500)));
  }

  @ParameterizedTest
  @MethodSource("redirects")
  @DisplayName("C-9, C-10 a redirect from / to /new has the verdict of /new")
  void c9c10(int status, int answer) throws Exception {
    try (ScriptedServer server =
        serving(
            Map.of("/", response(status, "", "Location: /new"), "/new", response(answer, "new")))) {
      assertThat(PROBING.verdict(get(server.port(), "/")))
          .isEqualTo(
              answer == 200
                  ? new Success("new")
                  : new Failure("HTTP probe failed with statuscode: 500"));
      assertThat(paths.targets()).containsExactly("/", "/new");
      assertThat(server.accepted()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ok body"})
  @DisplayName("C-11 308 to a page that answers 308 without Location is a warning with its body")
  void c11(String body) throws Exception {
    try (ScriptedServer server =
        serving(Map.of("/", response(308, "", "Location: /new"), "/new", response(308, body)))) {
      assertThat(PROBING.verdict(get(server.port(), "/")))
          .isEqualTo(new Warning("Probe terminated redirects, Response body: " + body));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://127.0.0.2:%d/", "//127.0.0.2:%d/", "http://localhost:%d/"})
  @DisplayName("C-12 a redirect to another host name is a warning, and that host never contacted")
  void c12(String location) throws Exception {
    try (ScriptedServer other = ScriptedServer.start(InetAddress.ofLiteral("127.0.0.2"), _ -> {});
        ScriptedServer server =
            ScriptedServer.answering(
                response(302, "moved", "Location: " + String.format(location, other.port())))) {
      assertThat(PROBING.verdict(get(server.port(), "/")))
          .isEqualTo(new Warning("Probe terminated redirects, Response body: moved"));
      assertThat(other.accepted()).isZero();
      assertThat(server.accepted()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"/new,true", "new,true", "//127.0.0.1:%d/new,true", "http://127.0.0.1:%d/new,false"})
  @DisplayName("C-13 a Host header given is still sent after a relative redirect")
  void c13(String location, boolean kept) throws Exception {
    Map<String, String> responses = new HashMap<>(Map.of("/new", response(200, "")));
    try (ScriptedServer server = serving(responses)) {
      String to = String.format(location, server.port());
      responses.put("/", response(302, "", "Location: " + to));
      PROBING.verdict(get(server.port(), "/", new HttpHeader("Host", "www.example.com")));
      assertThat(paths.targets()).containsExactly("/", "/new");
      String own = "www.example.com";
      assertThat(paths.requests().stream().map(each -> HttpServerPaths.header(each, "Host")))
          .containsExactly(List.of(own), List.of(kept ? own : "127.0.0.1:" + server.port()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10 * 1024 - 1, 10 * 1024, 10 * 1024 + 1, 11 * 1024})
  @DisplayName("C-14 of a body around 10 KiB the first 10 KiB are the output")
  void c14(int size) throws Exception {
    String body = "0123456789abcdef".repeat(size / 16 + 1).substring(0, size);
    String kept = body.substring(0, Math.min(size, Verdict.OUTPUT_LIMIT));
    String chunked =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + Integer.toHexString(size)
            + "\r\n"
            + body
            + "\r\n0\r\n\r\n";
    String untilClose = "HTTP/1.0 200 OK\r\n\r\n" + body;
    for (String response : List.of(response(200, body), chunked, untilClose)) {
      try (ScriptedServer server = ScriptedServer.answering(response)) {
        assertThat(PROBING.verdict(get(server.port(), "/"))).isEqualTo(new Success(kept));
      }
    }
  }

  @Test
  @DisplayName("C-14, H-5 once 10 KiB are there the rest is not waited for")
  void c14NotWaited() throws Exception {
    String head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n";
    try (ScriptedServer server =
        ScriptedServer.start(to -> {
          to.request();
          to.send(head + "x".repeat(Verdict.OUTPUT_LIMIT));
          to.hang();
        })) {
      assertThat(PROBING.verdict(get(server.port(), "/")))
          .isEqualTo(new Success("x".repeat(Verdict.OUTPUT_LIMIT)));
    }
  }

  @Test
  @DisplayName("C-15 proxies of the environment are ignored")
  void c15() throws Exception {
    try (ScriptedServer proxy = ScriptedServer.answering(response(200, "proxied"));
        ScriptedServer server = ScriptedServer.answering(response(200, "direct"))) {
      String url = "http://127.0.0.1:" + proxy.port();
      ProcessBuilder child =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xshare:auto",
                  "-XX:TieredStopAtLevel=1",
                  "-Dhttp.proxyHost=127.0.0.1",
                  "-Dhttp.proxyPort=" + proxy.port(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  ProbeOnce.class.getName(),
                  Integer.toString(server.port()))
              .redirectError(ProcessBuilder.Redirect.DISCARD);
      for (String name : List.of("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY")) {
        child.environment().put(name, url);
      }
      child.environment().remove("NO_PROXY");
      Process process = child.start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      assertThat(process.waitFor()).isZero();
      assertThat(said).isEqualTo(new Success("direct").toString());
      assertThat(proxy.accepted()).isZero();
    }
  }

  /** Probes a port of loopback in a process of its own. */
  static final class ProbeOnce {
    public static void main(String[] arguments) {
      HttpProbing probing = new HttpProbing();
      System.out.println(probing.verdict(get(Integer.parseInt(arguments[0]), "/")));
      System.exit(0);
    }
  }

  private ScriptedServer serving(Map<String, String> responses) {
    return ScriptedServer.start(paths.serving(responses));
  }

  private List<String> sent(String name, HttpHeader... headers) throws Exception {
    try (ScriptedServer server = serving(Map.of("/", response(200, "")))) {
      assertThat(PROBING.verdict(get(server.port(), "/", headers)).healthy()).isTrue();
      return HttpServerPaths.header(paths.requests().getFirst(), name);
    }
  }

  private static Failure failure(ScriptedServer server, String path, String what) {
    return new Failure("Get \"http://127.0.0.1:" + server.port() + path + "\": " + what);
  }
}
