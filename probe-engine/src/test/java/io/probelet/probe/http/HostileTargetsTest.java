package io.probelet.probe.http;

import static io.probelet.probe.TestTimeout.await;
import static io.probelet.probe.http.HttpProbing.get;
import static io.probelet.probe.http.HttpProbing.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.Certificates;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.net.Probing;
import io.probelet.probe.net.ScriptedServer;
import io.probelet.probe.net.ScriptedServer.Script;
import io.probelet.probe.net.Sockets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Targets that would like to hold up, confuse or fill the prober. */
class HostileTargetsTest {
  @RegisterExtension static final HttpProbing PROBING = new HttpProbing();

  private static final Duration SHORT = Duration.ofMillis(500);
  private static final String AWAITING =
      "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
  private static @TempDir Path directory;
  private static @Nullable SSLContext expired;

  @BeforeAll
  static void make() {
    expired =
        new Certificates(directory).add("old", "-startdate", "-3d", "-validity", "1").server("old");
  }

  static final Script SILENT = ScriptedServer.Connection::hang;

  static final Script DRIPPING =
      to -> {
        to.send("HTTP/1.1 200 OK\r\nX: ");
        while (!to.end().await(20, TimeUnit.MILLISECONDS)) {
          to.send("y");
        }
      };

  static final Script ENDLESS_BODY =
      to -> {
        to.request();
        to.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        while (true) {
          to.send("1000\r\n" + "x".repeat(0x1000) + "\r\n");
        }
      };

  static final Script ENDLESS_HEADER =
      to -> {
        to.request();
        to.send("HTTP/1.1 200 OK\r\n");
        while (true) {
          to.send("X: y\r\n".repeat(1000));
        }
      };

  static final Script LOOP =
      to -> {
        to.request();
        to.send(response(302, "", "Location: /"));
      };

  static final Script GARBAGE =
      to -> {
        to.send("\u0016\u0003\u0001\u0000\u00ff".repeat(100) + "\n");
        to.hang();
      };

  static Stream<Arguments> targets() {
    return Stream.of(
        Arguments.of("accepts and never answers", SILENT, failed(AWAITING), true),
        Arguments.of("sends its head byte by byte", DRIPPING, failed(AWAITING), true),
        Arguments.of("endless body", ENDLESS_BODY, new Success("x".repeat(10 * 1024)), false),
        Arguments.of(
            "endless header",
            ENDLESS_HEADER,
            failed("server response headers exceeded 10485760 bytes; aborted"),
            false),
        Arguments.of("302 loop", LOOP, new Failure("Get \"/\": stopped after 10 redirects"), false),
        Arguments.of(
            "garbage",
            GARBAGE,
            failed("malformed HTTP response \"" + ".....".repeat(13).substring(0, 63) + "…\""),
            false));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("targets")
  @DisplayName("acceptance 6: hostile targets give the specified result within timeout + 50 ms")
  void hostile(String what, Script script, Verdict expected, boolean takesAll) throws Exception {
    try (ScriptedServer server = ScriptedServer.start(script)) {
      Duration timeout = takesAll ? SHORT : Probing.TIMEOUT;
      ProbeOutcome outcome = PROBING.probeInTime(get(server.port(), "/"), timeout);
      assertThat(outcome.verdict()).as(what).isEqualTo(withPort(expected, server.port()));
      assertThat(Duration.ofNanos(outcome.timings().total()))
          .isGreaterThanOrEqualTo(takesAll ? timeout : Duration.ZERO);
    }
  }

  @Test
  @DisplayName("acceptance 6: a TLS server with an expired certificate is probed like any other")
  void expiredCertificate() throws Exception {
    Script script =
        to -> {
          to.request();
          to.send(response(200, "old but fine"));
        };
    try (ScriptedServer server = ScriptedServer.startTls(expired, script)) {
      HttpGet handler = get(server.port(), Scheme.HTTPS, HttpExpectation.KUBELET);
      assertThat(PROBING.verdict(handler)).isEqualTo(new Success("old but fine"));
    }
  }

  @Test
  @DisplayName("acceptance 6: 2,000 hostile probes leave neither connections nor files behind")
  void leavesNothing() throws Exception {
    List<Script> scripts = List.of(SILENT, DRIPPING, ENDLESS_BODY, ENDLESS_HEADER, LOOP, GARBAGE);
    List<ScriptedServer> servers = new ArrayList<>();
    scripts.forEach(script -> servers.add(ScriptedServer.start(script)));
    List<Integer> ports = servers.stream().map(ScriptedServer::port).toList();
    probeAll(ports, 200); // whatever is made once is there now, sockets that serve again among it
    closeAll(servers);
    await().until(() -> servers.stream().allMatch(server -> server.open() == 0));
    long before = Sockets.openFiles();

    servers.clear();
    scripts.forEach(script -> servers.add(ScriptedServer.start(script)));
    ports = servers.stream().map(ScriptedServer::port).toList();
    for (int round = 0; round < 10; round++) {
      probeAll(ports, 200);
    }
    closeAll(servers);
    await().until(() -> servers.stream().allMatch(server -> server.open() == 0));
    for (int port : ports) {
      assertThat(Sockets.statesOfClientsTo(port)).isEmpty();
    }
    assertThat(Sockets.openFiles()).isLessThanOrEqualTo(before + 5);
  }

  private static void probeAll(List<Integer> ports, int count) {
    List<CompletableFuture<ProbeOutcome>> outcomes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      HttpGet handler = get(ports.get(i % ports.size()), "/");
      outcomes.add(
          PROBING
              .probing()
              .start(done ->
                  PROBING.prober().probe(handler, Probing.target(), Duration.ofMillis(200), done)));
    }
    CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new)).join();
  }

  private static void closeAll(List<ScriptedServer> servers) throws Exception {
    for (ScriptedServer server : servers) {
      server.close();
    }
  }

  private static Verdict failed(String what) {
    return new Failure("Get \"http://127.0.0.1:PORT/\": " + what);
  }

  private static Verdict withPort(Verdict verdict, int port) {
    return verdict instanceof Failure failure
        ? new Failure(failure.message().replace("PORT", Integer.toString(port)))
        : verdict;
  }
}
