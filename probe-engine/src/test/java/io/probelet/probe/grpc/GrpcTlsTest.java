package io.probelet.probe.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.probelet.health.Certificates;
import io.probelet.probe.CaCertificates.InFile;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.h2.RawServer;
import io.probelet.probe.h2.RawServer.Then;
import io.probelet.probe.net.Probing;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** gRPC under TLS, which is opt-in; how far the peer is trusted is the dialer's business. */
@TestInstance(Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
class GrpcTlsTest {
  @RegisterExtension static final Probing PROBING = new Probing();

  private static final Verdict HEALTHY = new Success("service healthy");

  private Certificates certificates;
  private HealthServer server;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    certificates =
        new Certificates(directory).add("good", "-ext", "san=dns:shop.example").add("client");
    server = new HealthServer(HealthServer.status(1), context(ClientAuth.OPTIONAL, "h2"));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private SslContext context(ClientAuth clients, String protocol) throws SSLException {
    return SslContextBuilder.forServer(
            certificates.certificate("good").toFile(), certificates.key("good").toFile())
        .trustManager(certificates.certificate("ca").toFile())
        .clientAuth(clients)
        .applicationProtocolConfig(
            new ApplicationProtocolConfig(
                Protocol.ALPN,
                SelectorFailureBehavior.NO_ADVERTISE,
                SelectedListenerFailureBehavior.ACCEPT,
                protocol))
        .build();
  }

  private static ProbeOutcome probe(InetSocketAddress address, TlsOptions tls) {
    GrpcProber prober = new GrpcProber(PROBING.dialer(), () -> "", Duration.ofDays(1));
    Grpc handler = new Grpc(address.getPort(), "", tls);
    return PROBING.outcome(done -> prober.probe(handler, Probing.target(), Probing.TIMEOUT, done));
  }

  private static Verdict probe(Grpc handler) {
    GrpcProber prober = new GrpcProber(PROBING.dialer(), () -> "", Duration.ofDays(1));
    return PROBING
        .outcome(done -> prober.probe(handler, Probing.target(), Probing.TIMEOUT, done))
        .verdict();
  }

  @Test
  @DisplayName("H-10 over TLS: any certificate is accepted unless verification was asked for")
  void insecure() {
    ProbeOutcome outcome = probe(server.address(), TlsOptions.INSECURE);

    assertThat(outcome.verdict()).isEqualTo(HEALTHY);
    assertThat(outcome.timings().secured())
        .isBetween(outcome.timings().connected(), outcome.timings().firstByte());
    assertThat(outcome.timings().resolved()).isEqualTo(ProbeTimings.NOT_REACHED);
    assertThat(server.requestHeaders.scheme()).hasToString("https");
    assertThat(server.requestHeaders.contains("user-agent")).isFalse();
  }

  @Test
  @DisplayName("H-10 over TLS: verified against a CA and a name")
  void verified() {
    Path authority = certificates.certificate("ca");
    TlsOptions named = new TlsOptions(true, new InFile(authority), "shop.example", null, null);
    TlsOptions byAddress = new TlsOptions(true, new InFile(authority), null, null, null);

    assertThat(probe(server.address(), named).verdict()).isEqualTo(HEALTHY);
    assertThat(probe(server.address(), byAddress).verdict().text())
        .startsWith("timeout: failed to connect service \"127.0.0.1:")
        .contains("tls: ");
  }

  @Test
  @DisplayName("H-10 the authority is the given one, else the verified name, else the address")
  void authority() throws Exception {
    SslContext context = context(ClientAuth.NONE, "h2");
    try (HealthServer named = new HealthServer(HealthServer.status(1), context)) {
      InFile authority = new InFile(certificates.certificate("ca"));
      TlsOptions unnamed = new TlsOptions(true, authority, null, null, null);
      TlsOptions byName = unnamed.named("shop.example");
      int port = named.address().getPort();

      assertThat(probe(new Grpc(port, "", "shop.example:443", unnamed))).isEqualTo(HEALTHY);
      assertThat(named.requestHeaders.authority()).hasToString("shop.example:443");
      assertThat(probe(new Grpc(port, "", null, byName))).isEqualTo(HEALTHY);
      assertThat(named.requestHeaders.authority()).hasToString("shop.example");
      assertThat(probe(new Grpc(port, "", "a.example", byName))).isEqualTo(HEALTHY);
      assertThat(named.requestHeaders.authority()).hasToString("a.example");
      assertThat(probe(new Grpc(port, "", TlsOptions.INSECURE))).isEqualTo(HEALTHY);
      assertThat(named.requestHeaders.authority()).hasToString("127.0.0.1:" + port);
      assertThat(probe(new Grpc(port, "", "bank.example", unnamed)).text())
          .contains("tls: failed to verify certificate: x509: certificate is valid for")
          .contains("not bank.example");
    }
  }

  @Test
  @DisplayName("H-10 over TLS: a client certificate")
  void clientCertificate() throws Exception {
    TlsOptions known =
        new TlsOptions(
            false, null, null, certificates.certificate("client"), certificates.key("client"));
    SslContext strict = context(ClientAuth.REQUIRE, "h2");
    try (HealthServer closed = new HealthServer(HealthServer.status(1), strict)) {
      assertThat(probe(closed.address(), known).verdict()).isEqualTo(HEALTHY);
      assertThat(probe(closed.address(), TlsOptions.INSECURE).verdict())
          .isInstanceOf(Failure.class);
    }
  }

  @Test
  @DisplayName("H-10 over TLS: a server that picks no protocol is tried with HTTP/2")
  void noAlpn() throws Exception {
    SslContext silent = context(ClientAuth.NONE, "http/1.1");
    try (HealthServer lax = new HealthServer(HealthServer.status(1), silent)) {
      assertThat(probe(lax.address(), TlsOptions.INSECURE).verdict()).isEqualTo(HEALTHY);
    }
  }

  @Test
  @DisplayName("H-10 over TLS: a server without TLS was not connected")
  void plainServer() {
    try (RawServer plain = RawServer.frames(Then.CLOSE, RawServer.SETTINGS)) {
      assertThat(probe(plain.address(), TlsOptions.INSECURE).verdict().text())
          .startsWith("timeout: failed to connect service \"127.0.0.1:");
    }
  }
}
