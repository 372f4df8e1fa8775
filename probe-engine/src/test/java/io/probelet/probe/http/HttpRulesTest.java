package io.probelet.probe.http;

import static io.probelet.probe.http.HttpProbing.get;
import static io.probelet.probe.http.HttpProbing.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.AsciiString;
import io.probelet.health.Certificates;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.Verdict.Warning;
import io.probelet.probe.h2.H2Server;
import io.probelet.probe.net.ClosedPort;
import io.probelet.probe.net.Probing;
import io.probelet.probe.net.ScriptedServer;
import io.probelet.probe.net.ScriptedServer.Script;
import io.probelet.probe.net.Sockets;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules H-1 to H-7, beyond the numbered cases. */
class HttpRulesTest {
  @RegisterExtension static final HttpProbing PROBING = new HttpProbing();

  private static @TempDir Path directory;
  private static Certificates certificates;

  private final HttpServerPaths paths = new HttpServerPaths();

  @BeforeAll
  static void make() {
    certificates = new Certificates(directory);
  }

  @Test
  @DisplayName("H-1 the path's query is sent, IPv6 hosts stand in brackets")
  void ipv6() throws Exception {
    try (ScriptedServer server =
        ScriptedServer.start(
            InetAddress.ofLiteral("::1"), paths.serving(Map.of("/a?b=c", response(200, "six"))))) {
      HttpGet handler =
          new HttpGet(
              new Port.Numeric(server.port()),
              "::1",
              "/a?b=c",
              Scheme.HTTP,
              List.of(),
              TlsOptions.INSECURE,
              HttpExpectation.KUBELET);
      assertThat(PROBING.verdict(handler)).isEqualTo(new Success("six"));
      assertThat(HttpServerPaths.header(paths.requests().getFirst(), "Host"))
          .containsExactly("[::1]:" + server.port());
    }
  }

  @Test
  @DisplayName("H-2 headers keep their order and all values; one cannot smuggle in a second line")
  void headers() throws Exception {
    try (ScriptedServer server = serving(Map.of("/", response(200, "")))) {
      PROBING.verdict(
          get(
              server.port(),
              "/",
              new HttpHeader("x-b", "2"),
              new HttpHeader("FOO-bAR", "one"),
              new HttpHeader("foo-bar", "two")));
      assertThat(paths.requests().getFirst())
          .contains("\r\nX-B: 2\r\nFoo-Bar: one\r\nFoo-Bar: two\r\n");

      Verdict verdict =
          PROBING.verdict(get(server.port(), "/", new HttpHeader("Token", "s3cret\r\nX: y")));
      assertThat(verdict.text())
          .endsWith("net/http: invalid header field value for \"Token\"")
          .doesNotContain("s3cret");
      assertThat(verdict).isInstanceOf(Failure.class);
      assertThat(paths.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 204, 226, 299})
  @DisplayName("H-3 2xx is success")
  void success(int status) throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(response(status, ""))) {
      assertThat(PROBING.verdict(get(server.port(), "/"))).isEqualTo(new Success(""));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 301, 304, 305, 306, 308, 399})
  @DisplayName("H-3, H-4 3xx without a Location to follow is a warning")
  void warning(int status) throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(response(status, ""))) {
      assertThat(PROBING.verdict(get(server.port(), "/")))
          .isEqualTo(new Warning("Probe terminated redirects, Response body: "));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {101, 400, 401, 404, 500, 503, 600})
  @DisplayName("H-3 any other status is a failure, without the body in the message")
  void failure(int status) throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(response(status, "secret"))) {
      assertThat(PROBING.verdict(get(server.port(), "/")))
          .isEqualTo(new Failure("HTTP probe failed with statuscode: " + status));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/a/b?q=1, /c,       /c",
    "/a/b?q=1, c?d=e,    /a/c?d=e",
    "/a/b?q=1, ../c,     /c",
    "/a/b?q=1, ./c/.,    /a/c/",
    "/a/b?q=1, ?x=y,     /a/b?x=y",
    "/a/b?q=1, /c#top,   /c",
    "/a/b?q=1, 'c d',    /a/c%20d"
  })
  @DisplayName("H-4 a Location is resolved against the URL it came from")
  void resolved(String from, String location, String to) throws Exception {
    try (ScriptedServer server =
        serving(Map.of(from, response(302, "", "Location: " + location), to, response(200, "")))) {
      assertThat(PROBING.verdict(get(server.port(), from))).isEqualTo(new Success(""));
      assertThat(paths.targets()).containsExactly(from, to);
    }
  }

  @Test
  @DisplayName("H-4 a redirect to another port of the same host is followed")
  void otherPort() throws Exception {
    try (ScriptedServer other = ScriptedServer.answering(response(200, "there"));
        ScriptedServer server =
            ScriptedServer.answering(
                response(302, "", "Location: http://127.0.0.1:" + other.port() + "/"))) {
      assertThat(PROBING.verdict(get(server.port(), "/"))).isEqualTo(new Success("there"));
    }
  }

  @Test
  @DisplayName("H-4 a redirect to https on the same host is followed")
  void toHttps() throws Exception {
    try (ScriptedServer other = https(to -> answer(to, response(200, "secure")));
        ScriptedServer server =
            ScriptedServer.answering(
                response(307, "", "Location: https://127.0.0.1:" + other.port() + "/"))) {
      ProbeOutcome outcome = PROBING.probe(get(server.port(), "/"), Probing.TIMEOUT);
      assertThat(outcome.verdict()).isEqualTo(new Success("secure"));
      assertThat(outcome.timings().secured()).isPositive();
    }
  }

  @Test
  @DisplayName("H-4 ten requests at most: the tenth redirect is one too many")
  void tooMany() throws Exception {
    Map<String, String> chain = new HashMap<>();
    for (int i = 0; i < 10; i++) {
      chain.put("/" + i, response(302, "", "Location: /" + (i + 1)));
    }
    chain.put("/10", response(200, ""));
    try (ScriptedServer server = serving(chain)) {
      assertThat(PROBING.verdict(get(server.port(), "/1"))).isEqualTo(new Success(""));
      assertThat(server.accepted()).isEqualTo(10);

      assertThat(PROBING.verdict(get(server.port(), "/0")))
          .isEqualTo(new Failure("Get \"/10\": stopped after 10 redirects"));
      assertThat(server.accepted()).isEqualTo(20);
    }
  }

  @Test
  @DisplayName("W-13 each redirect that is followed is charged; the first refused ends the probe")
  void charged() throws Exception {
    Map<String, String> chain = new HashMap<>();
    for (int i = 0; i < 5; i++) {
      chain.put("/" + i, response(302, "", "Location: /" + (i + 1)));
    }
    chain.put("/5", response(200, ""));
    try (ScriptedServer server = serving(chain)) {
      assertThat(PROBING.verdict(get(server.port(), "/0"), 5)).isEqualTo(new Success(""));
      assertThat(server.accepted()).isEqualTo(6);

      assertThat(PROBING.verdict(get(server.port(), "/0"), 4))
          .isEqualTo(new Verdict.ProberError(Verdict.Reason.POD_BUDGET, "no more"));
      assertThat(server.accepted()).isEqualTo(11);
    }
  }

  @Test
  @DisplayName("H-4 a redirect's body is not waited for")
  void redirectWithoutEnd() throws Exception {
    Script script =
        to -> {
          if (to.request().startsWith("GET /new ")) {
            to.send(response(200, "ok"));
          } else {
            to.send("HTTP/1.1 302 Found\r\nLocation: /new\r\nContent-Length: 100\r\n\r\n");
            to.hang();
          }
        };
    try (ScriptedServer server = ScriptedServer.start(script)) {
      assertThat(PROBING.verdict(get(server.port(), "/"))).isEqualTo(new Success("ok"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'http://127.0.0.1:x/',  failed to parse Location header \"http://127.0.0.1:x/\"",
    "ftp://127.0.0.1/,       unsupported protocol scheme \"ftp\""
  })
  @DisplayName("H-4 a Location that cannot be requested is failure")
  void brokenLocation(String location, String why) throws Exception {
    try (ScriptedServer server =
        ScriptedServer.answering(response(302, "", "Location: " + location))) {
      assertThat(PROBING.verdict(get(server.port(), "/"))).isEqualTo(failed(server, "/", why));
    }
  }

  static Stream<Arguments> bodies() {
    String ok = "HTTP/1.1 200 OK\r\n";
    return Stream.of(
        Arguments.of(ok + "Content-Length: 4\r\n\r\nbodyleft over"),
        Arguments.of(ok + "\r\nbody"),
        Arguments.of("HTTP/1.0 200 OK\nX:y\n\nbody"),
        Arguments.of("HTTP/1.0 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nbody"),
        Arguments.of(ok + "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n"),
        Arguments.of(
            ok + "transfer-encoding:CHUNKED\r\n\r\n2;x=y\r\nbo\r\n02  \r\ndy\r\n0\r\nT: x\r\n\r\n"),
        Arguments.of(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                + ok
                + "Content-Length: 4\r\n\r\nbody"));
  }

  @ParameterizedTest
  @MethodSource("bodies")
  @DisplayName("H-5 bodies by length, by chunks and until the connection's end are accepted")
  void framings(String response) throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(response)) {
      assertThat(PROBING.verdict(get(server.port(), "/"))).isEqualTo(new Success("body"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'',                                              EOF",
    "'HTTP/1.1 200 OK\r\nContent',                    unexpected EOF",
    "'SSH-2.0-OpenSSH_9\r\n',                  malformed HTTP response \"SSH-2.0-OpenSSH_9\"",
    "'HTTP/11 200 OK\r\n',                     malformed HTTP version \"HTTP/11\"",
    "'HTTP/1.1 200 OK\r\nno colon\r\n\r\n',    malformed MIME header line",
    "'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n', bad Content-Length"
  })
  @DisplayName("H-6 what is no response, or only a part of one, is failure and says which")
  void malformed(String response, String why) throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(response)) {
      assertThat(PROBING.verdict(get(server.port(), "/"))).isEqualTo(failed(server, "/", why));
    }
  }

  @Test
  @DisplayName("H-6 a reset connection is failure and says so")
  void reset() throws Exception {
    Script script =
        to -> {
          to.request();
          to.socket().setSoLinger(true, 0);
        };
    try (ScriptedServer server = ScriptedServer.start(script)) {
      assertThat(PROBING.verdict(get(server.port(), "/")))
          .isEqualTo(
              failed(
                  server,
                  "/",
                  "read tcp 127.0.0.1:" + server.port() + ": read: connection reset by peer"));
    }
  }

  @Test
  @DisplayName("H-6 a refused connection is failure and says so")
  void refused() throws Exception {
    try (ClosedPort port = new ClosedPort()) {
      assertThat(PROBING.verdict(get(port.number(), "/healthz?full")))
          .isEqualTo(
              failed(
                  port.number(),
                  "/healthz?…",
                  "dial tcp 127.0.0.1:" + port.number() + ": connect: connection refused"));
    }
  }

  @Test
  @DisplayName("P-17 a port that is not found is a prober error; so is a host that is none")
  void badTargets() {
    HttpGet noPort = new HttpGet(new Port.Named("http"), "/");
    assertThat(PROBING.verdict(noPort))
        .isEqualTo(
            new ProberError(
                Reason.BAD_TARGET, "container web has no port named \"http\"; it has none"));
    HttpGet noHost =
        new HttpGet(
            new Port.Numeric(80),
            "a b\r\nX: y",
            "/",
            Scheme.HTTP,
            List.of(),
            TlsOptions.INSECURE,
            HttpExpectation.KUBELET);
    assertThat(PROBING.verdict(noHost))
        .isEqualTo(new ProberError(Reason.BAD_TARGET, "no host: \"a b..X: y\""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"example.test:80", "127.0.0.1:80", "a:b", ":", "::1:x", "1::2::3", "::1%"})
  @DisplayName(
      "P-17 a host with a colon is an IPv6 address, or it is none, which is a prober error")
  void colons(String host) {
    HttpGet handler =
        new HttpGet(
            new Port.Numeric(80),
            host,
            "/",
            Scheme.HTTP,
            List.of(),
            TlsOptions.INSECURE,
            HttpExpectation.KUBELET);
    assertThat(PROBING.verdict(handler))
        .isEqualTo(new ProberError(Reason.BAD_TARGET, "no host: \"" + host + "\""));
  }

  @Test
  @DisplayName("H-2, H-7 over HTTP/2, too, values are UTF-8, and a Host is one")
  void http2Headers() throws Exception {
    BlockingQueue<Http2Headers> seen = new LinkedBlockingQueue<>();
    try (H2Server server = http2(() -> new Answering("200", "two", seen))) {
      int port = server.address().getPort();
      HttpGet handler =
          https(
              get(port, "/", new HttpHeader("X-Name", "ä€"), new HttpHeader("Host", "münchen.de")));
      assertThat(PROBING.verdict(handler)).isEqualTo(new Success("two"));
      Http2Headers request = seen.take();
      assertThat(request.authority()).hasToString("xn--mnchen-3ya.de");
      assertThat(AsciiString.of(request.get("x-name")).toByteArray())
          .isEqualTo("ä€".getBytes(StandardCharsets.UTF_8));

      assertThat(PROBING.verdict(https(get(port, "/", new HttpHeader("Host", "a b")))))
          .isEqualTo(
              new Failure("Get \"https://127.0.0.1:" + port + "/\": http2: invalid Host header"));
      assertThat(seen).isEmpty();
    }
  }

  @Test
  @DisplayName("H-7 HTTPS over HTTP/1.1, its certificate self-signed")
  void https11() throws Exception {
    try (ScriptedServer server =
        https(to -> {
          ((SSLSocket) to.socket())
              .setHandshakeApplicationProtocolSelector(
                  (_, offered) -> offered.equals(List.of("h2", "http/1.1")) ? "http/1.1" : null);
          answer(to, response(200, "secure"));
        })) {
      ProbeOutcome outcome =
          PROBING.probe(get(server.port(), Scheme.HTTPS, HttpExpectation.KUBELET), Probing.TIMEOUT);
      assertThat(outcome.verdict()).isEqualTo(new Success("secure"));
      ProbeTimings timings = outcome.timings();
      assertThat(List.of(timings.connected(), timings.secured(), timings.firstByte()))
          .isSorted()
          .allSatisfy(stamp -> assertThat(stamp).isBetween(1L, timings.total()));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "200, two",
    "302, 'Probe terminated redirects, Response body: two'",
    "500, HTTP probe failed with statuscode: 500"
  })
  @DisplayName("H-7 HTTPS over HTTP/2 where the server chooses it")
  void http2(String status, String text) throws Exception {
    BlockingQueue<Http2Headers> seen = new LinkedBlockingQueue<>();
    try (H2Server server = http2(() -> new Answering(status, "two", seen))) {
      HttpGet handler =
          https(get(server.address().getPort(), "/p?q", new HttpHeader("X-Probe", "1")));
      ProbeOutcome outcome = PROBING.probe(handler, Probing.TIMEOUT);
      assertThat(outcome.verdict().text()).isEqualTo(text);
      assertThat(outcome.verdict().healthy()).isEqualTo(!status.equals("500"));
      assertThat(outcome.timings().firstByte()).isPositive();
      Http2Headers request = seen.take();
      assertThat(request.names().stream().map(CharSequence::toString))
          .containsExactlyInAnyOrder(
              ":method", ":scheme", ":authority", ":path", "user-agent", "accept", "x-probe");
      assertThat(request.path()).hasToString("/p?q");
    }
  }

  @Test
  @DisplayName("H-5, H-7 over HTTP/2 as well the first 10 KiB of a body are the output")
  void http2Cut() throws Exception {
    String body = "0123456789abcdef".repeat(700);
    try (H2Server server = http2(() -> new Answering("200", body, new LinkedBlockingQueue<>()))) {
      assertThat(PROBING.verdict(https(get(server.address().getPort(), "/"))))
          .isEqualTo(new Success(body.substring(0, Verdict.OUTPUT_LIMIT)));
    }
  }

  private static H2Server http2(Supplier<ChannelHandler> streams) throws SSLException {
    SslContext context =
        SslContextBuilder.forServer(
                certificates.certificate("ca").toFile(), certificates.key("ca").toFile())
            .applicationProtocolConfig(
                new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    "h2"))
            .build();
    return new H2Server(streams, Http2Settings.defaultSettings(), context);
  }

  private static HttpGet https(HttpGet plain) {
    return new HttpGet(
        plain.port(),
        plain.host(),
        plain.path(),
        Scheme.HTTPS,
        plain.headers(),
        plain.tls(),
        plain.expectation());
  }

  /** Answers a stream. */
  private static final class Answering extends ChannelInboundHandlerAdapter {
    private final String status;
    private final String body;
    private final BlockingQueue<Http2Headers> seen;

    Answering(String status, String body, BlockingQueue<Http2Headers> seen) {
      this.status = status;
      this.body = body;
      this.seen = seen;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof Http2HeadersFrame request) {
        seen.add(request.headers());
        ctx.write(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status(status)));
        ctx.writeAndFlush(
            new DefaultHttp2DataFrame(
                Unpooled.copiedBuffer(body, StandardCharsets.US_ASCII), true));
      }
    }
  }

  @Test
  @DisplayName("no TIME_WAIT is left behind, on either side")
  void noTimeWait() throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(response(200, "ok"))) {
      for (int i = 0; i < 100; i++) {
        assertThat(PROBING.verdict(get(server.port(), "/"))).isEqualTo(new Success("ok"));
      }
      assertThat(Sockets.statesOfClientsTo(server.port())).doesNotContain("TIME_WAIT");
    }
  }

  private ScriptedServer serving(Map<String, String> responses) {
    return ScriptedServer.start(paths.serving(responses));
  }

  private static ScriptedServer https(Script script) {
    return ScriptedServer.startTls(certificates.server("ca"), script);
  }

  private static void answer(ScriptedServer.Connection to, String response) throws Exception {
    to.request();
    to.send(response);
  }

  private static Failure failed(ScriptedServer server, String path, @Nullable String what) {
    return failed(server.port(), path, what);
  }

  private static Failure failed(int port, String path, @Nullable String what) {
    return new Failure("Get \"http://127.0.0.1:" + port + path + "\": " + what);
  }

  @ParameterizedTest
  @ValueSource(strings = {"200", "404", "500", "999", "stalls", "moved", "elsewhere", "chain"})
  @DisplayName("D-7 where any answer will do, status and body do not count; redirects are followed")
  void anyAnswer(String what) throws Exception {
    Script script =
        to -> {
          switch (what) {
            case "stalls" -> {
              to.send("HTTP/1.1 500 Oops\r\nContent-Length: 100\r\n\r\n");
              to.hang();
            }
            case "moved" -> to.send(response(302, ""));
            case "elsewhere" -> to.send(response(302, "", "Location: http://elsewhere.test/"));
            case "chain" ->
                to.send(
                    to.request().startsWith("GET /new ")
                        ? response(500, "")
                        : response(307, "", "Location: /new"));
            default -> to.send(response(Integer.parseInt(what), ""));
          }
        };
    try (ScriptedServer server = ScriptedServer.start(script)) {
      assertThat(PROBING.verdict(get(server.port(), Scheme.HTTP, HttpExpectation.ANY_ANSWER)))
          .isEqualTo(new Success(""));
      assertThat(server.accepted()).isEqualTo(what.equals("chain") ? 2 : 1);
    }
  }

  @Test
  @DisplayName("D-7 where any answer will do there must be one, in ten requests")
  void noAnswer() throws Exception {
    try (ScriptedServer server =
        ScriptedServer.start(to -> to.send(response(302, "", "Location: /")))) {
      assertThat(PROBING.verdict(get(server.port(), Scheme.HTTP, HttpExpectation.ANY_ANSWER)))
          .isEqualTo(new Failure("Get \"/\": stopped after 10 redirects"));
      assertThat(server.accepted()).isEqualTo(10);
    }
    try (ScriptedServer server = ScriptedServer.start(to -> to.send("no HTTP\r\n\r\n"))) {
      assertThat(PROBING.verdict(get(server.port(), Scheme.HTTP, HttpExpectation.ANY_ANSWER)))
          .isInstanceOf(Failure.class);
    }
  }
}
