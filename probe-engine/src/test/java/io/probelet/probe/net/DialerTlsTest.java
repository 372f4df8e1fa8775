package io.probelet.probe.net;

import static io.probelet.probe.TestTimeout.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.probelet.health.Certificates;
import io.probelet.health.SystemClock;
import io.probelet.probe.CaCertificates.InFile;
import io.probelet.probe.CaCertificates.Inline;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.file.SmallFile;
import io.probelet.probe.net.NetLoop.Transport;
import io.probelet.probe.net.ScriptedServer.Script;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(Lifecycle.PER_CLASS)
class DialerTlsTest {
  private static final String HOST = "127.0.0.1";
  private static final String NAMED = "server.example";

  private final Probing probing =
      new Probing(
          Transport.best(),
          _ -> CompletableFuture.completedFuture(List.of(InetAddress.ofLiteral(HOST))));
  private Path directory;
  private Certificates certificates;

  /** What a server saw of one handshake. */
  private record Seen(List<String> names, String protocol, String id) {}

  private final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();

  @BeforeAll
  void make(@TempDir Path shared) {
    directory = shared;
    certificates =
        new Certificates(directory)
            .add("good", "-ext", "san=dns:" + NAMED + ",ip:" + HOST)
            .add("expired", "-ext", "san=ip:" + HOST, "-startdate", "-3d", "-validity", "1")
            .add("other", "-ext", "san=dns:other.example")
            .add("client");
  }

  @BeforeEach
  void forget() {
    seen.clear();
  }

  @AfterAll
  void close() {
    probing.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"good", "expired", "other", "ca"})
  @DisplayName("H-7: any certificate is accepted: expired, self-signed, wrong name")
  void anyCertificate(String alias) throws Exception {
    try (ScriptedServer server = server(alias)) {
      ProbeOutcome outcome = dial(HOST, server.port(), TlsOptions.INSECURE);
      assertThat(outcome.verdict()).isEqualTo(new Success(""));
      assertThat(outcome.timings().secured())
          .isBetween(outcome.timings().connected() + 1, outcome.timings().total());
      assertThat(outcome.certificateExpiry())
          .isEqualTo(
              Arrays.stream(certificates.chain(alias))
                  .mapToLong(shown -> shown.getNotAfter().toInstant().getEpochSecond())
                  .min()
                  .orElseThrow());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  @DisplayName("H-7: TLS 1.2 and 1.3")
  void versions(String version) throws Exception {
    Script script =
        to -> {
          ((SSLSocket) to.socket()).setEnabledProtocols(new String[] {version});
          shakeHands(to);
        };
    try (ScriptedServer server = ScriptedServer.startTls(certificates.server("good"), script)) {
      assertThat(dial(HOST, server.port(), TlsOptions.INSECURE).verdict())
          .isEqualTo(new Success(""));
      assertThat(takeSeen().protocol()).isEqualTo(version);
    }
  }

  @ParameterizedTest
  @CsvSource({"server.example,server.example", "localhost,localhost", "127.0.0.1,"})
  @DisplayName("H-7: SNI is the host unless it is an IP")
  void sni(String host, String sent) throws Exception {
    try (ScriptedServer server = server("good")) {
      dial(host, server.port(), TlsOptions.INSECURE);
      assertThat(takeSeen().names()).isEqualTo(sent == null ? List.of() : List.of(sent));
    }
  }

  @Test
  @DisplayName("serverName of the annotation is sent instead of the host")
  void serverName() throws Exception {
    try (ScriptedServer server = server("good")) {
      dial(HOST, server.port(), new TlsOptions(false, null, "shop.example", null, null));
      assertThat(takeSeen().names()).containsExactly("shop.example");
    }
  }

  @ParameterizedTest
  @CsvSource({"h2,h2", "http/1.1,http/1.1", "ftp,''"})
  @DisplayName("H-7: ALPN offers what was asked for and tells what the server took")
  void alpn(String spoken, String agreed) throws Exception {
    Script script =
        to -> {
          SSLSocket socket = (SSLSocket) to.socket();
          socket.setHandshakeApplicationProtocolSelector(
              (_, offered) -> offered.contains(spoken) ? spoken : "");
          shakeHands(to);
        };
    try (ScriptedServer server = ScriptedServer.startTls(certificates.server("good"), script)) {
      Tls tls = new Tls(TlsOptions.INSECURE, List.of(Tls.H2, Tls.HTTP_1_1));
      assertThat(dial(HOST, server.port(), tls, Probing.TIMEOUT).verdict())
          .isEqualTo(new Success(agreed));
    }
  }

  @Test
  @DisplayName("every probe is a whole handshake: a resumed one would not look at certificates")
  void noResumption() throws Exception {
    Script script =
        to -> {
          // before 1.3 a session may be resumed as soon as the handshake is done
          ((SSLSocket) to.socket()).setEnabledProtocols(new String[] {"TLSv1.2"});
          shakeHands(to);
        };
    try (ScriptedServer server = ScriptedServer.startTls(certificates.server("good"), script)) {
      dial(NAMED, server.port(), verifying());
      String first = takeSeen().id();
      dial(NAMED, server.port(), verifying());
      assertThat(takeSeen().id()).isNotEqualTo(first);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  @DisplayName("no session is kept, however many tickets servers give out")
  void sessions(String version) throws Exception {
    BlockingQueue<SSLSessionContext> caches = new LinkedBlockingQueue<>();
    Dialer dialer =
        new Dialer(
            probing.dialer().loop(),
            new SystemNames(),
            new TlsContexts(SystemClock.INSTANCE),
            session -> caches.add(session.getSessionContext()));
    Script script =
        to -> {
          ((SSLSocket) to.socket()).setEnabledProtocols(new String[] {version});
          shakeHands(to);
        };
    try (ScriptedServer server = ScriptedServer.startTls(certificates.server("good"), script)) {
      Tls tls = new Tls(TlsOptions.INSECURE, List.of());
      for (int i = 0; i < 4; i++) {
        assertThat(
                probing
                    .outcome(dialing(dialer, HOST, server.port(), tls, Probing.TIMEOUT))
                    .verdict())
            .isEqualTo(new Success(""));
      }
    }
    assertThat(caches).hasSize(4);
    assertThat(Collections.list(caches.take().getIds())).hasSizeLessThan(2);
  }

  @Test
  @DisplayName("H-7 renegotiation is refused, as by Go")
  void renegotiation() throws Exception {
    Script script =
        to -> {
          SSLSocket socket = (SSLSocket) to.socket();
          socket.setEnabledProtocols(new String[] {"TLSv1.2"});
          socket.startHandshake();
          socket.startHandshake();
          to.send("!");
          to.in().read();
        };
    try (ScriptedServer server = ScriptedServer.startTls(certificates.server("good"), script)) {
      assertThat(dial(HOST, server.port(), TlsOptions.INSECURE).verdict())
          .isEqualTo(new Failure("late tls: the server requests a second handshake"));
    }
  }

  @ParameterizedTest
  @CsvSource({"14,true", "40,false"})
  @DisplayName("H-7 a server may change keys a few times before it says something")
  void newKeys(int times, boolean taken) throws Exception {
    Script script =
        to -> {
          SSLSocket socket = (SSLSocket) to.socket();
          socket.startHandshake();
          for (int i = 0; i < times; i++) {
            socket.startHandshake();
          }
          to.send("!");
          to.in().read();
        };
    try (ScriptedServer server = ScriptedServer.startTls(certificates.server("good"), script)) {
      assertThat(dial(HOST, server.port(), TlsOptions.INSECURE).verdict())
          .isEqualTo(
              taken
                  ? new Success("")
                  : new Failure("late tls: more than 16 records in a row without data"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {HOST, NAMED})
  @DisplayName("opt-in verification accepts what the given authority signed for the host")
  void verified(String host) throws Exception {
    try (ScriptedServer server = server("good")) {
      assertThat(dial(host, server.port(), verifying()).verdict()).isEqualTo(new Success(""));
    }
  }

  @Test
  @DisplayName("opt-in verification checks serverName where it is given")
  void verifiesServerName() throws Exception {
    try (ScriptedServer server = server("other")) {
      Path authority = certificates.certificate("ca");
      assertThat(
              dial(
                      HOST,
                      server.port(),
                      new TlsOptions(true, new InFile(authority), "other.example", null, null))
                  .verdict())
          .isEqualTo(new Success(""));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "expired,x509: certificate has expired or is not yet valid: current time ",
    "other,x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs"
  })
  @DisplayName("opt-in verification refuses an expired certificate and a wrong name")
  void refused(String alias, String why) throws Exception {
    try (ScriptedServer server = server(alias)) {
      assertThat(dial(HOST, server.port(), verifying()).verdict())
          .isInstanceOfSatisfying(
              Failure.class,
              failure ->
                  assertThat(failure.message())
                      .startsWith("tls: failed to verify certificate: " + why));
    }
  }

  @Test
  @DisplayName("opt-in verification without caFile trusts the platform's authorities only")
  void unknownAuthority() throws Exception {
    try (ScriptedServer server = server("good")) {
      assertThat(dial(HOST, server.port(), new TlsOptions(true, null, null, null, null)).verdict())
          .isEqualTo(
              new Failure(
                  "tls: failed to verify certificate: x509: certificate signed by unknown authority"));
    }
  }

  @Test
  @DisplayName("a client certificate is shown to a server that asks for one")
  void clientCertificate() throws Exception {
    Script script =
        to -> {
          ((SSLSocket) to.socket()).setNeedClientAuth(true);
          ((SSLSocket) to.socket()).setEnabledProtocols(new String[] {"TLSv1.2"});
          shakeHands(to);
        };
    try (ScriptedServer server = ScriptedServer.startTls(certificates.server("good"), script)) {
      assertThat(
              dial(
                      HOST,
                      server.port(),
                      new TlsOptions(
                          false,
                          null,
                          null,
                          certificates.certificate("client"),
                          certificates.key("client")))
                  .verdict())
          .isEqualTo(new Success(""));
      assertThat(dial(HOST, server.port(), TlsOptions.INSECURE).verdict())
          .isInstanceOfSatisfying(
              Failure.class, none -> assertThat(none.message()).startsWith("remote error: tls: "));
    }
  }

  @Test
  @DisplayName("a TLS file that is missing or holds something else is a prober error")
  void badFiles() throws Exception {
    Path absent = directory.resolve("absent.pem");
    Path text = Files.writeString(directory.resolve("text.pem"), "not PEM at all");
    Path certificate = certificates.certificate("client");
    try (ScriptedServer server = server("good")) {
      assertThat(
              dial(HOST, server.port(), new TlsOptions(true, new InFile(absent), null, null, null))
                  .verdict())
          .isEqualTo(badTarget("caFile " + absent + " does not exist"));
      assertThat(
              dial(HOST, server.port(), new TlsOptions(true, new InFile(text), null, null, null))
                  .verdict())
          .isEqualTo(badTarget("caFile " + text + " must hold PEM certificates"));
      assertThat(
              dial(HOST, server.port(), new TlsOptions(false, null, null, certificate, text))
                  .verdict())
          .isEqualTo(
              badTarget(
                  "certFile "
                      + certificate
                      + " and keyFile "
                      + text
                      + " must hold a PEM certificate chain and its PKCS#8 key"));
      assertThat(server.accepted()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/dev/zero", "pipe", "/proc", "large"})
  @DisplayName("a TLS file that never ends, hangs or is too large is a prober error, and soon")
  void hostileFiles(String name) throws Exception {
    Path file = directory.resolve(name);
    String wrong = " must be a regular file";
    if (name.equals("pipe")) {
      assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
    } else if (name.equals("large")) {
      Files.write(file, new byte[SmallFile.MAX_BYTES + 1]);
      wrong = " must have at most 1048576 bytes";
    }
    TlsOptions options = new TlsOptions(true, new InFile(file), null, null, null);
    try (ScriptedServer server = server("good")) {
      assertThat(dial(HOST, server.port(), options).verdict())
          .isInstanceOfSatisfying(
              ProberError.class, error -> assertThat(error.reason()).isEqualTo(Reason.BAD_TARGET));
      assertThat(dial(HOST, server.port(), options).verdict().text())
          .contains("caFile " + file + wrong);
      assertThat(server.accepted()).isZero();
      assertThat(dial(HOST, server.port(), verifying()).verdict())
          .as("others")
          .isEqualTo(new Success(""));
    }
  }

  @Test
  @DisplayName("authorities may be given inline, and must be certificates")
  void inline() throws Exception {
    String pem = Files.readString(certificates.certificate("ca"));
    String wrong = "-----BEGIN CERTIFICATE-----\nbm8=\n-----END CERTIFICATE-----\n";
    try (ScriptedServer server = server("good")) {
      assertThat(
              dial(HOST, server.port(), new TlsOptions(true, new Inline(pem), null, null, null))
                  .verdict())
          .isEqualTo(new Success(""));
      assertThat(
              dial(HOST, server.port(), new TlsOptions(true, new Inline(wrong), null, null, null))
                  .verdict())
          .isEqualTo(badTarget("ca must hold PEM certificates"));
    }
  }

  @Test
  @DisplayName("TLS files are read again when they have changed")
  void reload() throws Exception {
    Path authority = directory.resolve("rotating.crt");
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    Files.copy(new Certificates(elsewhere).certificate("ca"), authority);
    TlsOptions options = new TlsOptions(true, new InFile(authority), null, null, null);
    try (ScriptedServer server = server("good")) {
      assertThat(dial(HOST, server.port(), options).verdict().healthy()).isFalse();

      Files.copy(certificates.certificate("ca"), authority, StandardCopyOption.REPLACE_EXISTING);
      await()
          .untilAsserted(
              () -> assertThat(dial(HOST, server.port(), options).verdict().healthy()).isTrue());
    }
  }

  @Test
  @DisplayName("H-6: a server that speaks no TLS is failure and says so")
  void plainServer() throws Exception {
    try (ScriptedServer server =
        ScriptedServer.start(to -> to.send("HTTP/1.1 400 Bad Request\r\n\r\n"))) {
      assertThat(dial(HOST, server.port(), TlsOptions.INSECURE).verdict())
          .isEqualTo(new Failure("tls: first record does not look like a TLS handshake"));
    }
  }

  @Test
  @DisplayName("H-6: a server that hangs up in the handshake is failure and says so")
  void hangsUp() throws Exception {
    try (ScriptedServer server = ScriptedServer.start(to -> to.in().readNBytes(100))) {
      assertThat(dial(HOST, server.port(), TlsOptions.INSECURE).verdict().text())
          .isIn(
              "tls: connection closed by the server during the handshake",
              "tls handshake with 127.0.0.1:" + server.port() + ": read: connection reset by peer");
    }
  }

  @Test
  @DisplayName("H-6: a handshake that is not answered fails at the timeout")
  void silent() throws Exception {
    Duration timeout = Duration.ofMillis(300);
    try (ScriptedServer ready = server("good");
        ScriptedServer server = ScriptedServer.start(ScriptedServer.Connection::hang)) {
      dial(HOST, ready.port(), TlsOptions.INSECURE); // makes the context, which takes its time
      Tls tls = new Tls(TlsOptions.INSECURE, List.of());
      ProbeOutcome outcome =
          probing.outcomeInTime(timeout, dialing(HOST, server.port(), tls, timeout));
      assertThat(outcome.verdict())
          .isEqualTo(
              new Failure("tls handshake with 127.0.0.1:" + server.port() + ": i/o timeout"));
      assertThat(Duration.ofNanos(outcome.timings().total())).isGreaterThanOrEqualTo(timeout);
      assertThat(outcome.timings().secured()).isEqualTo(ProbeTimings.NOT_REACHED);
    }
  }

  private TlsOptions verifying() {
    return new TlsOptions(true, new InFile(certificates.certificate("ca")), null, null, null);
  }

  private static Verdict badTarget(String message) {
    return new ProberError(Reason.BAD_TARGET, "tls: " + message);
  }

  private ScriptedServer server(String alias) {
    return ScriptedServer.startTls(certificates.server(alias), this::shakeHands);
  }

  private void shakeHands(ScriptedServer.Connection to) throws IOException {
    SSLSocket socket = (SSLSocket) to.socket();
    socket.startHandshake();
    ExtendedSSLSession session = (ExtendedSSLSession) socket.getSession();
    seen.add(
        new Seen(
            session.getRequestedServerNames().stream()
                .map(name -> new String(name.getEncoded(), StandardCharsets.US_ASCII))
                .toList(),
            session.getProtocol(),
            HexFormat.of().formatHex(session.getId())));
    to.send("!");
    to.in().read();
  }

  private Seen takeSeen() throws InterruptedException {
    Seen next = seen.poll(1, TimeUnit.MINUTES);
    assertThat(next).isNotNull();
    return next;
  }

  private ProbeOutcome dial(String host, int port, TlsOptions options) {
    return dial(host, port, new Tls(options, List.of()), Probing.TIMEOUT);
  }

  private ProbeOutcome dial(String host, int port, Tls tls, Duration timeout) {
    return probing.outcome(dialing(host, port, tls, timeout));
  }

  private Consumer<Consumer<ProbeOutcome>> dialing(
      String host, int port, Tls tls, Duration timeout) {
    return dialing(probing.dialer(), host, port, tls, timeout);
  }

  private static Consumer<Consumer<ProbeOutcome>> dialing(
      Dialer dialer, String host, int port, Tls tls, Duration timeout) {
    Endpoint endpoint = new Endpoint(host, port);
    return done -> {
      Attempt attempt =
          Attempt.begin(
              dialer.loop(), timeout, phase -> new Failure(endpoint.timedOut(phase)), done);
      dialer.dial(attempt, endpoint, tls, new Ending(attempt));
    };
  }

  /** Success with the protocol that was agreed on, once the server has said something. */
  private record Ending(Attempt attempt) implements ProbeConnection.Listener {
    @Override
    public void connected(ProbeConnection connection) {
      connection
          .channel()
          .pipeline()
          .addLast(
              new SimpleChannelInboundHandler<ByteBuf>() {
                @Override
                protected void channelRead0(ChannelHandlerContext ctx, ByteBuf data) {
                  attempt.end(new Success(connection.protocol()));
                }

                @Override
                public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                  attempt.end(TlsErrors.failure(new Endpoint(HOST, 1), cause).verdict("late "));
                }
              });
    }

    @Override
    public void failed(NetFailure failure) {
      attempt.end(failure.verdict(""));
    }
  }
}
