package io.probelet.probe.http;

import static io.probelet.probe.TestTimeout.await;
import static io.probelet.probe.h2.Frames.data;
import static io.probelet.probe.h2.Frames.field;
import static io.probelet.probe.h2.Frames.goAway;
import static io.probelet.probe.h2.Frames.headers;
import static io.probelet.probe.h2.Frames.reset;
import static io.probelet.probe.http.HttpProbing.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.probelet.health.Certificates;
import io.probelet.health.SystemClock;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpExpectation.BodyRule;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.engine.Fixtures;
import io.probelet.probe.engine.ProbeEngine;
import io.probelet.probe.engine.ProbeEngine.LoopProber;
import io.probelet.probe.engine.ProbeLimits;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.engine.RestartGate;
import io.probelet.probe.engine.StartupMemory;
import io.probelet.probe.h2.Frames;
import io.probelet.probe.net.NetLoop;
import io.probelet.probe.net.ScriptedServer;
import io.probelet.probe.net.ScriptedServer.Script;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** H-5: answers whose body cannot be read. A kubelet discards them, whatever their status. */
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
class IncompleteAnswerTest {
  @RegisterExtension static final HttpProbing PROBING = new HttpProbing();

  private static final Duration SHORT = Duration.ofMillis(300);
  private static final HttpExpectation BODY_RULE =
      new HttpExpectation(List.of(), List.of(new BodyRule.Contains("a")));
  private static final String CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";
  private static final String TEN = "Content-Length: 10\r\n\r\n";
  private static final String STALLED =
      "context deadline exceeded (Client.Timeout or context cancellation while reading body)";

  private static @TempDir Path directory;
  private static SSLContext context;

  @BeforeAll
  static void make() {
    context = new Certificates(directory).server("ca");
  }

  /** What a server does once it has sent what it sends. */
  enum Then {
    CLOSE,
    RESET,
    STALL
  }

  private static Arguments http1(String answer, Then then, String why) {
    return arguments(answer, then, why);
  }

  static Stream<Arguments> http1() {
    return Stream.of(
        http1(TEN, Then.CLOSE, "unexpected EOF"),
        http1(TEN + "abc", Then.CLOSE, "unexpected EOF"),
        http1(TEN + "abc", Then.RESET, "connection reset by peer"),
        http1(TEN + "abc", Then.STALL, STALLED),
        http1(TEN, Then.STALL, STALLED),
        http1("\r\nabc", Then.RESET, "connection reset by peer"),
        http1("\r\nabc", Then.STALL, STALLED),
        http1(CHUNKED + "zz\r\n", Then.CLOSE, "invalid chunk length \"zz\""),
        http1(CHUNKED + "3\nabc\r\n0\r\n\r\n", Then.CLOSE, "chunked line ends with bare LF"),
        http1(CHUNKED + "3\r\nabcXX0\r\n\r\n", Then.CLOSE, "malformed chunked encoding"),
        http1(CHUNKED + "3\r\nabc\r\n", Then.CLOSE, "unexpected EOF"),
        http1(CHUNKED + "3\r\nabc\r\n0\r\nno colon\r\n\r\n", Then.CLOSE, "malformed MIME header"),
        http1(CHUNKED + "3\r\nabc\r\n0\r\nA: b\r\n", Then.STALL, STALLED),
        http1(
            "Content-Length: 20000\r\n\r\n" + "x".repeat(10 * 1024 - 1),
            Then.CLOSE,
            "unexpected EOF"));
  }

  @ParameterizedTest
  @MethodSource("http1")
  @DisplayName("H-5 an answer that breaks off, stalls or is malformed in its body is discarded")
  void discarded(String answer, Then then, String why) throws Exception {
    for (int status : List.of(200, 302, 500)) {
      try (ScriptedServer server = ScriptedServer.start(answering(status, answer, then))) {
        assertDiscarded(
            outcome(get(server.port(), Scheme.HTTP, HttpExpectation.KUBELET)), status, why);
        assertDiscarded(outcome(get(server.port(), Scheme.HTTP, statuses(204))), status, why);
      }
    }
  }

  @Test
  @DisplayName("C-34 a server that announces ten bytes and sends three is never restarted for it")
  void neverRestarted() throws Exception {
    List<Reason> reasons = new CopyOnWriteArrayList<>();
    List<RestartDecision> restarts = new CopyOnWriteArrayList<>();
    NetLoop loop = PROBING.probing().dialer().loop();
    ProbeEngine engine =
        new ProbeEngine(
            List.of(
                new LoopProber(
                    loop.probeLoop(),
                    (handler, target, timeout, done) ->
                        PROBING.prober().probe((HttpGet) handler, target, timeout, done))),
            new Random(7),
            RestartGate.OPEN,
            ProbeLimits.DEFAULT,
            StartupMemory.NONE);
    engine.addListener(
        new ProbeListener() {
          @Override
          public void probed(Probed probe) {
            if (probe.outcome().verdict() instanceof ProberError error) {
              reasons.add(error.reason());
            }
          }

          @Override
          public void restartDecided(RestartDecision decision) {
            restarts.add(decision);
          }
        });
    try (ScriptedServer server = ScriptedServer.answering("HTTP/1.1 200 OK\r\n" + TEN + "abc")) {
      ProbeSpec spec =
          ProbeSpec.of(get(server.port(), "/"))
              .period(Duration.ofMillis(100))
              .timeout(Duration.ofMinutes(1))
              .failureThreshold(1)
              .build();
      engine.add(Fixtures.pod(Fixtures.container(Map.of(ProbeKind.LIVENESS, spec))));
      engine.observed(
          new PodObservation(
              Fixtures.POD,
              Phase.RUNNING,
              false,
              false,
              List.of("127.0.0.1"),
              Map.of(
                  Fixtures.CONTAINER,
                  ContainerObservation.running("id-1", SystemClock.INSTANCE.wallTime(), 0))));
      await().until(() -> reasons.size() >= 5 || !restarts.isEmpty());
    }
    engine.remove(Fixtures.POD);
    assertThat(restarts).isEmpty();
    assertThat(reasons).containsOnly(Reason.INCOMPLETE_ANSWER);
  }

  @ParameterizedTest
  @MethodSource("http1")
  @DisplayName("H-5 with rules for the body it is a failure; a status that fails counts first")
  void rulesForTheBody(String answer, Then then, String why) throws Exception {
    try (ScriptedServer server = ScriptedServer.start(answering(200, answer, then))) {
      assertThat(outcome(get(server.port(), Scheme.HTTP, BODY_RULE)))
          .isInstanceOfSatisfying(
              Failure.class,
              failure ->
                  assertThat(failure.message())
                      .startsWith("Get \"http://127.0.0.1:")
                      .contains(why));
    }
    try (ScriptedServer server = ScriptedServer.start(answering(503, answer, then))) {
      assertThat(outcome(get(server.port(), Scheme.HTTP, BODY_RULE)))
          .isEqualTo(new Failure("HTTP probe failed with statuscode: 503"));
    }
  }

  @Test
  @DisplayName("H-5 once 10 KiB of the body are there, nothing that follows matters")
  void enough() throws Exception {
    String body = "x".repeat(10 * 1024);
    Script script = answering(200, "Content-Length: 20000\r\n\r\n" + body, Then.RESET);
    try (ScriptedServer server = ScriptedServer.start(script)) {
      assertThat(outcome(get(server.port(), Scheme.HTTP, HttpExpectation.KUBELET)))
          .isEqualTo(new Success(body));
    }
  }

  @Test
  @DisplayName("H-5 a reset after a complete answer matters not, though rules check its body")
  void resetAfterTheEnd() throws Exception {
    Script script = answering(200, "Content-Length: 4\r\n\r\nfair", Then.RESET);
    try (ScriptedServer server = ScriptedServer.start(script)) {
      for (int i = 0; i < 50; i++) {
        assertThat(outcome(get(server.port(), Scheme.HTTP, BODY_RULE)))
            .as("a busy machine may have no time to check the body")
            .isNotInstanceOf(Failure.class);
      }
    }
  }

  private static Arguments http2(String why, byte[]... frames) {
    return arguments(why, Frames.join(frames));
  }

  static Stream<Arguments> http2() {
    byte[] head = headers(1, false, field(":status", "500"));
    byte[] ok = {'o', 'k'};
    return Stream.of(
        http2("CANCEL", head, reset(1, 8)),
        http2("NO_ERROR", head, reset(1, 0)),
        http2("REFUSED_STREAM", head, data(1, false, ok), reset(1, 7)),
        http2(STALLED, head),
        http2(STALLED, head, data(1, false, ok)),
        http2("unexpected EOF", headers(1, true, field(":status", "500"), length("5"))),
        http2(
            "unexpected EOF",
            headers(1, false, field(":status", "500"), length("5")),
            data(1, true, ok)),
        http2(
            "more than declared Content-Length",
            headers(1, false, field(":status", "500"), length("1")),
            data(1, true, ok)),
        http2("in trailers", head, data(1, false, ok), headers(1, true, field(":status", "200"))),
        http2("invalid header field name", head, headers(1, true, field("X", "y"))),
        http2("INTERNAL_ERROR", head, goAway(0, 2)),
        http2("exceeds the limit", head, new byte[] {0, 0x40, 1, 0, 0, 0, 0, 0, 1}));
  }

  private static byte[] length(String value) {
    return field("content-length", value);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("http2")
  @DisplayName("H-5 over HTTP/2 as well")
  void discarded(String why, byte[] frames) throws Exception {
    Script script =
        connection -> {
          ((SSLSocket) connection.socket()).setHandshakeApplicationProtocolSelector((_, _) -> "h2");
          Frames.preface(connection);
          Frames.await(connection, 1);
          Frames.send(connection, Frames.SETTINGS, frames);
          Frames.drain(connection);
        };
    try (ScriptedServer server = ScriptedServer.startTls(context, script)) {
      assertDiscarded(outcome(get(server.port(), Scheme.HTTPS, HttpExpectation.KUBELET)), 500, why);
      assertThat(outcome(get(server.port(), Scheme.HTTPS, BODY_RULE)))
          .isEqualTo(new Failure("HTTP probe failed with statuscode: 500"));
    }
  }

  @Test
  @DisplayName("H-5 an HTTPS answer that ends without close_notify is discarded, too")
  void cutTls() throws Exception {
    Script script =
        connection -> {
          connection.request();
          connection.send("HTTP/1.1 200 OK\r\n" + TEN + "abc");
          connection.socket().close();
        };
    try (ScriptedServer server = ScriptedServer.startTls(context, script)) {
      assertDiscarded(
          outcome(get(server.port(), Scheme.HTTPS, HttpExpectation.KUBELET)), 200, "EOF");
    }
  }

  private static void assertDiscarded(Verdict verdict, int status, String why) {
    assertThat(verdict)
        .isInstanceOfSatisfying(
            ProberError.class,
            error -> {
              assertThat(error.reason()).isEqualTo(Reason.INCOMPLETE_ANSWER);
              assertThat(error.message())
                  .startsWith("Get \"http")
                  .contains(": status " + status + ", but its body could not be read: ")
                  .contains(why);
            });
  }

  private static HttpExpectation statuses(int... statuses) {
    return new HttpExpectation(Arrays.stream(statuses).boxed().toList(), List.of());
  }

  private static Script answering(int status, String rest, Then then) {
    return connection -> {
      connection.request();
      connection.send("HTTP/1.1 " + status + " Text\r\n" + rest);
      switch (then) {
        case CLOSE -> {}
        case RESET -> connection.socket().setSoLinger(true, 0);
        case STALL -> connection.hang();
      }
    };
  }

  /** Probes again for as long as the server itself needed more time than a probe has. */
  private static Verdict outcome(HttpGet handler) {
    return await()
        .until(() -> PROBING.probe(handler, SHORT), outcome -> outcome.timings().firstByte() > 0)
        .verdict();
  }
}
