package io.probelet.probe.grpc;

import static io.probelet.probe.TestTimeout.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.grpc.HealthServer.Reply;
import io.probelet.probe.h2.H2Server;
import io.probelet.probe.h2.RawServer;
import io.probelet.probe.h2.RawServer.Then;
import io.probelet.probe.net.ClosedPort;
import io.probelet.probe.net.Probing;
import io.probelet.probe.net.Sockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GrpcProberTest {
  @RegisterExtension static final Probing PROBING = new Probing();

  private static final Duration SHORT = Duration.ofMillis(300);

  /** Before a second connection, which then never fits. */
  private static final Duration ONE_ATTEMPT = Duration.ofDays(1);

  private static final String BROKEN = "error: health rpc probe failed: rpc error: code = ";

  private static Consumer<Consumer<ProbeOutcome>> probing(
      InetSocketAddress server, String service, Duration timeout) {
    GrpcProber prober = new GrpcProber(PROBING.dialer(), () -> "kube-probe/1.36", ONE_ATTEMPT);
    Grpc handler = new Grpc(server.getPort(), service, null);
    ProbeTarget target = Probing.target(server.getAddress().getHostAddress(), Map.of());
    return done -> prober.probe(handler, target, timeout, done);
  }

  private static ProbeOutcome probe(InetSocketAddress server, String service, Duration timeout) {
    return PROBING.outcome(probing(server, service, timeout));
  }

  private static ProbeOutcome probe(Reply reply, Duration timeout) {
    try (HealthServer server = new HealthServer(reply)) {
      return probe(server.address(), "", timeout);
    }
  }

  @Test
  @DisplayName("H-10: SERVING is success, and every phase has its time")
  void serving() {
    ProbeOutcome outcome = probe(HealthServer.status(1), Probing.TIMEOUT);

    assertThat(outcome.verdict()).isEqualTo(new Success("service healthy"));
    ProbeTimings timings = outcome.timings();
    assertThat(timings.connected()).isBetween(1L, timings.firstByte());
    assertThat(timings.firstByte()).isLessThanOrEqualTo(timings.total());
    assertThat(timings.secured()).isEqualTo(ProbeTimings.NOT_REACHED);
  }

  @ParameterizedTest
  @DisplayName("C-29: any other status is failure with that word")
  @CsvSource({"0,UNKNOWN", "2,NOT_SERVING", "3,SERVICE_UNKNOWN", "42,42"})
  void notServing(int status, String word) {
    assertThat(probe(HealthServer.status(status), Probing.TIMEOUT).verdict())
        .isEqualTo(new Failure("service unhealthy (responded with \"" + word + "\")"));
  }

  @Test
  @DisplayName("C-29: a message without status means UNKNOWN, one with unknown fields is read")
  void protobufDefaults() {
    assertThat(probe(HealthServer.whole("", "0", null), Probing.TIMEOUT).verdict())
        .isEqualTo(new Failure("service unhealthy (responded with \"UNKNOWN\")"));
    String unknownFields = "1203616263" + "18ffffffffffffffffff01" + "2d00000000";
    String message = unknownFields + "310000000000000000" + "0801";
    assertThat(probe(HealthServer.whole(message, "0", null), Probing.TIMEOUT).verdict())
        .isEqualTo(new Success("service healthy"));
  }

  @Test
  @DisplayName("H-10: the request, as the server sees it")
  void request() {
    try (HealthServer server = new HealthServer(HealthServer.status(1))) {
      probe(server.address(), "shop", Duration.ofMillis(61_500));

      Map<String, String> headers = new HashMap<>();
      for (Map.Entry<CharSequence, CharSequence> each : server.requestHeaders) {
        headers.put(each.getKey().toString(), each.getValue().toString());
      }
      assertThat(headers)
          .containsExactlyInAnyOrderEntriesOf(
              Map.of(
                  ":method", "POST",
                  ":scheme", "http",
                  ":path", "/grpc.health.v1.Health/Check",
                  ":authority", "127.0.0.1:" + server.address().getPort(),
                  "content-type", "application/grpc",
                  "user-agent", "kube-probe/1.36",
                  "te", "trailers",
                  "grpc-timeout", "61500m"));
      assertThat(server.requestBody).isEqualTo("00" + "00000006" + "0a04" + "73686f70");
    }
  }

  @Test
  @DisplayName("P-14: no service asks with an empty message; a long name arrives whole")
  void serviceNames() {
    try (HealthServer server = new HealthServer(HealthServer.status(1))) {
      probe(server.address(), "", Probing.TIMEOUT);
      assertThat(server.requestBody).isEqualTo("0000000000");

      probe(server.address(), "ü".repeat(20_000), Probing.TIMEOUT);
      assertThat(server.requestBody).startsWith("00" + "00009c44" + "0ac0b802" + "c3bc");
      assertThat(server.requestBody).hasSize(2 * (5 + 4 + 40_000));
    }
  }

  @ParameterizedTest
  @DisplayName("H-10: UNIMPLEMENTED says that this is no health server")
  @ValueSource(booleans = {false, true})
  void unimplemented(boolean trailersOnly) {
    String text = "unknown service grpc.health.v1.Health";
    Reply reply =
        trailersOnly ? HealthServer.trailersOnly("12", text) : HealthServer.whole(null, "12", text);
    assertThat(probe(reply, Probing.TIMEOUT).verdict())
        .isEqualTo(
            new Failure(
                "error: this server does not implement the grpc health protocol"
                    + " (grpc.health.v1.Health): unknown service grpc.health.v1.Health"));
  }

  static Stream<Arguments> brokenReplies() {
    return Stream.of(
        arguments(
            HealthServer.trailersOnly("5", "unknown service"), "NotFound desc = unknown service"),
        arguments(
            HealthServer.trailersOnly("5", "%C3%BC 100%25 %zz %4"),
            "NotFound desc = ü 100% %zz %4"),
        arguments(HealthServer.trailersOnly("13", null), "Internal desc = "),
        arguments(HealthServer.trailersOnly("99", "odd"), "Code(99) desc = odd"),
        arguments(
            HealthServer.trailersOnly("x", null), "Unknown desc = malformed grpc-status \"x\""),
        arguments(
            HealthServer.whole("0801", null, null),
            "Unknown desc = server ended the call without grpc-status"),
        arguments(HealthServer.whole(null, "0", null), "Internal desc = server sent no message"),
        arguments(
            HealthServer.whole("08", "0", null), "Internal desc = server sent a malformed message"),
        arguments(
            HealthServer.whole("0affffff7f", "0", null),
            "Internal desc = server sent a malformed message"),
        arguments(
            HealthServer.whole("0f", "0", null), "Internal desc = server sent a malformed message"),
        arguments(
            HealthServer.whole("08ffffffffffffffffffff01", "0", null),
            "Internal desc = server sent a malformed message"),
        arguments(
            HealthServer.page("503", "text/html"),
            "Unavailable desc = unexpected HTTP status code received from server: 503 (Service Unavailable);"
                + " received unexpected content-type \"text/html\""),
        arguments(
            HealthServer.page("200", "text/html"),
            "Unknown desc = unexpected HTTP status code received from server: 200 (OK); received unexpected content-type \"text/html\""),
        arguments(
            HealthServer.page("200", null),
            "Unknown desc = unexpected HTTP status code received from server: 200 (OK); malformed header: missing HTTP content-type"),
        arguments(
            HealthServer.page("200", "application/grpcweb"),
            "Unknown desc = unexpected HTTP status code received from server: 200 (OK); received unexpected content-type \"application/grpcweb\""),
        arguments(
            HealthServer.page("401", "text/html"),
            "Unauthenticated desc = unexpected HTTP status code received from server: 401 (Unauthorized);"
                + " received unexpected content-type \"text/html\""),
        arguments(
            data("0100000002" + "0801", false), "Internal desc = unexpected compressed message"),
        arguments(
            data("00ffffffff" + "0801", false),
            "ResourceExhausted desc = received message larger than max (4294967295 vs. 4194304)"),
        arguments(
            data("0000000002" + "0801", true),
            "Internal desc = server ended the call without trailers"),
        arguments(cutOff(), "Internal desc = server ended the call within a message"),
        arguments(
            reset(Http2Error.REFUSED_STREAM),
            "Unavailable desc = stream reset by the server with REFUSED_STREAM"),
        arguments(
            reset(Http2Error.CANCEL), "Canceled desc = stream reset by the server with CANCEL"),
        arguments(
            reset(Http2Error.INTERNAL_ERROR),
            "Internal desc = stream reset by the server with INTERNAL_ERROR"),
        arguments(closing(), "Unavailable desc = connection closed by the server"),
        arguments(goAway(), "Unavailable desc = connection closed by the server"));
  }

  private static Reply data(String hex, boolean end) {
    return call -> {
      call.write(new DefaultHttp2HeadersFrame(HealthServer.head("200", "application/grpc+proto")));
      byte[] bytes = java.util.HexFormat.of().parseHex(hex);
      call.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(bytes), end));
    };
  }

  private static Reply cutOff() {
    return call -> {
      data("0000000002" + "08", false).to(call);
      Http2Headers trailers = new io.netty.handler.codec.http2.DefaultHttp2Headers();
      call.writeAndFlush(new DefaultHttp2HeadersFrame(trailers.set("grpc-status", "0"), true));
    };
  }

  private static Reply reset(Http2Error error) {
    return call -> call.writeAndFlush(new DefaultHttp2ResetFrame(error));
  }

  private static Reply closing() {
    return onceAllIsRead(Channel::close);
  }

  /** The stream was seen, so the call might still be answered; then the connection ends. */
  private static Reply goAway() {
    return onceAllIsRead(connection ->
        connection.writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.INTERNAL_ERROR)));
  }

  /** A connection that is closed with something unread is not closed in good order but reset. */
  private static Reply onceAllIsRead(Consumer<Channel> end) {
    return call -> {
      Channel connection = call.channel().parent();
      H2Server.settled(connection).thenRun(() -> end.accept(connection));
    };
  }

  @ParameterizedTest
  @DisplayName("H-10: everything else is failure with the status as Go prints it")
  @MethodSource("brokenReplies")
  void broken(Reply reply, String status) {
    assertThat(probe(reply, Probing.TIMEOUT).verdict()).isEqualTo(new Failure(BROKEN + status));
  }

  @Test
  @DisplayName("a message may arrive in any pieces")
  void pieces() {
    Reply reply =
        call -> {
          call.write(new DefaultHttp2HeadersFrame(HealthServer.head("200", "application/grpc")));
          for (byte each : new byte[] {0, 0, 0, 0, 2, 8, 1}) {
            call.writeAndFlush(
                new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(new byte[] {each})));
          }
          Http2Headers trailers = new io.netty.handler.codec.http2.DefaultHttp2Headers();
          call.writeAndFlush(new DefaultHttp2HeadersFrame(trailers.set("grpc-status", "0"), true));
        };
    assertThat(probe(reply, Probing.TIMEOUT).verdict()).isEqualTo(new Success("service healthy"));
  }

  @Test
  @DisplayName("H-10: connected but not answered in time")
  void unanswered() {
    AtomicBoolean settled = new AtomicBoolean();
    Reply none = call -> H2Server.settled(call.channel().parent()).thenRun(() -> settled.set(true));
    Callable<Verdict> once =
        () -> {
          try (HealthServer server = new HealthServer(none)) {
            return timedOut(server.address());
          }
        };
    // A server that itself needs more time than a probe has was not connected.
    assertThat(await().until(once, _ -> settled.get()))
        .isEqualTo(new Failure("timeout: health rpc did not complete within 300ms"));
  }

  @Test
  @DisplayName("H-10: a server that says DEADLINE_EXCEEDED itself is a timeout as well")
  void deadlineExceeded() {
    assertThat(probe(HealthServer.trailersOnly("4", "slow"), Duration.ofMinutes(1)).verdict())
        .isEqualTo(new Failure("timeout: health rpc did not complete within 1m0s"));
  }

  @Test
  @DisplayName("H-10: a server that accepts and says nothing was not connected in time")
  void neverSettled() {
    try (RawServer server = new RawServer(new byte[0], Then.STAY)) {
      assertThat(timedOut(server.address()))
          .isEqualTo(
              new Failure(
                  "timeout: failed to connect service \"127.0.0.1:"
                      + server.address().getPort()
                      + "\" within 300ms: context deadline exceeded"));
    }
  }

  private static Verdict timedOut(InetSocketAddress server) {
    ProbeOutcome outcome = PROBING.outcomeInTime(SHORT, probing(server, "", SHORT));
    assertThat(Duration.ofNanos(outcome.timings().total())).isGreaterThanOrEqualTo(SHORT);
    return outcome.verdict();
  }

  @Test
  @DisplayName("H-10: a refused connection is failure once no other attempt fits, and says why")
  void refused() throws Exception {
    try (ClosedPort port = new ClosedPort()) {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port.number());
      String at = "127.0.0.1:" + port.number();
      assertThat(probe(address, "", Probing.TIMEOUT).verdict())
          .isEqualTo(
              new Failure(
                  "timeout: failed to connect service \"%s\" within 1m0s: dial tcp %s: connect: connection refused"
                      .formatted(at, at)));
    }
  }

  @ParameterizedTest
  @DisplayName("H-10: a server of another protocol is failure that quotes it")
  @CsvSource({
    "HTTP/1.1 400 Bad Request,CLOSE,'not an HTTP/2 server: its response starts with \"HTTP/1.1 400 Bad Request\"'",
    "220 mail ESMTP,STAY,'not an HTTP/2 server: its response starts with \"220 mail ESMTP\"'",
    "'',CLOSE,connection closed by the server"
  })
  void notHttp2(String greeting, Then then, String message) {
    byte[] bytes = greeting.getBytes(StandardCharsets.UTF_8);
    try (RawServer server = new RawServer(bytes, then)) {
      assertThat(probe(server.address(), "", Probing.TIMEOUT).verdict())
          .isEqualTo(
              new Failure(
                  "timeout: failed to connect service \"127.0.0.1:%d\" within 1m0s: %s"
                      .formatted(server.address().getPort(), message)));
    }
  }

  @Test
  @DisplayName("a pod without IP is a prober error, never a probe of our own loopback")
  void noIp() {
    GrpcProber prober = new GrpcProber(PROBING.dialer(), () -> "");
    ProbeTarget nowhere = Probing.target("", Map.of());
    ProbeOutcome outcome =
        PROBING.outcome(
            done -> prober.probe(new Grpc(50051, "", null), nowhere, Probing.TIMEOUT, done));
    assertThat(outcome.verdict()).isInstanceOf(ProberError.class);
    assertThat(((ProberError) outcome.verdict()).reason()).isEqualTo(Reason.BAD_TARGET);
  }

  @Test
  @DisplayName("no TIME_WAIT is left behind")
  void leavesNothing() throws IOException {
    try (HealthServer server = new HealthServer(HealthServer.status(1))) {
      for (int i = 0; i < 100; i++) {
        assertThat(probe(server.address(), "", Probing.TIMEOUT).verdict().healthy()).isTrue();
      }
      assertThat(Sockets.statesOfClientsTo(server.address().getPort())).isEmpty();
    }
  }
}
