package io.probelet.probe.net;

import static io.probelet.health.tls.MadeCertificate.NOW;
import static io.probelet.health.tls.MadeCertificate.authority;
import static io.probelet.health.tls.MadeCertificate.server;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ManualClock;
import io.probelet.health.SystemClock;
import io.probelet.health.tls.MadeCertificate;
import io.probelet.probe.CaCertificates.InFile;
import io.probelet.probe.CaCertificates.Inline;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.net.NetLoop.Transport;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Probes that verify, by a clock that the test moves. */
class VerifiedTlsTest {
  private static final String SERVER = "app.example";
  private static final String REFUSED = "tls: failed to verify certificate: x509: certificate ";

  private final ManualClock clock = new ManualClock(NOW);
  private final ProbeLoops loops = ProbeLoops.start(1, Transport.best(), SystemClock.INSTANCE);
  private final Dialer dialer =
      new Dialer(
          loops.all().getFirst(),
          _ -> CompletableFuture.completedFuture(List.of(InetAddress.ofLiteral("127.0.0.1"))),
          new TlsContexts(clock));

  @TempDir Path directory;

  @AfterEach
  void close() {
    loops.close();
  }

  private Verdict probe(SSLContext server, TlsOptions options) throws Exception {
    ScriptedServer.Script script =
        connection -> {
          ((SSLSocket) connection.socket()).startHandshake();
          connection.hang();
        };
    CompletableFuture<Verdict> verdict = new CompletableFuture<>();
    try (ScriptedServer listening = ScriptedServer.startTls(server, script)) {
      dialer
          .loop()
          .eventLoop()
          .execute(() -> {
            Attempt attempt =
                Attempt.begin(
                    dialer.loop(),
                    Duration.ofSeconds(20),
                    _ -> new Failure("time is up"),
                    outcome -> verdict.complete(outcome.verdict()));
            dialer.dial(
                attempt,
                new Endpoint("127.0.0.1", listening.port()),
                new Tls(options, List.of()),
                new ProbeConnection.Listener() {
                  @Override
                  public void connected(ProbeConnection connection) {
                    attempt.end(new Success(""));
                  }

                  @Override
                  public void failed(NetFailure failure) {
                    attempt.end(failure.verdict(""));
                  }
                });
          });
      return verdict.get();
    }
  }

  private static TlsOptions trusting(MadeCertificate root) {
    return new TlsOptions(true, new Inline(root.pem()), SERVER, null, null);
  }

  @Test
  @DisplayName("TLS-1 an expired or not yet valid certificate is refused, trusted or not")
  void pinned() throws Exception {
    MadeCertificate good = server("dns:" + SERVER).selfSigned();
    MadeCertificate old = server("dns:" + SERVER).expired().selfSigned();
    MadeCertificate young = server("dns:" + SERVER).early().selfSigned();
    assertThat(probe(good.serving(), trusting(good))).isEqualTo(new Success(""));
    assertThat(probe(old.serving(), trusting(old)))
        .isEqualTo(
            new Failure(
                REFUSED
                    + "has expired or is not yet valid: current time 2026-11-26T12:00:00Z is after"
                    + " 2025-01-01T00:00:00Z"));
    assertThat(probe(young.serving(), trusting(young)))
        .isEqualTo(
            new Failure(
                REFUSED
                    + "has expired or is not yet valid: current time 2026-11-26T12:00:00Z is before"
                    + " 2027-01-01T00:00:00Z"));
  }

  @Test
  @DisplayName("TLS-1 the time of each handshake counts, not that at which the file was read")
  void expiresLater() throws Exception {
    MadeCertificate root =
        authority("root").valid("2026-01-01T00:00:00Z", "2026-11-26T13:00:00Z").selfSigned();
    MadeCertificate leaf = server("dns:" + SERVER).by(root);
    Path file = Files.writeString(directory.resolve("ca.pem"), root.pem());
    TlsOptions options = new TlsOptions(true, new InFile(file), SERVER, null, null);
    assertThat(probe(leaf.serving(), options)).isEqualTo(new Success(""));
    clock.stepWallClock(Duration.ofHours(2));
    assertThat(probe(leaf.serving(), options).text())
        .startsWith(REFUSED + "has expired or is not yet valid: ");
  }

  @Test
  @DisplayName("TLS-1 an intermediate may be missing, or trusted itself")
  void intermediate() throws Exception {
    MadeCertificate root = authority("root").selfSigned();
    MadeCertificate middle = authority("middle").by(root);
    MadeCertificate leaf = server("dns:" + SERVER).by(middle);
    assertThat(probe(leaf.serving(middle), trusting(root))).isEqualTo(new Success(""));
    assertThat(probe(leaf.serving(), trusting(root)))
        .isEqualTo(new Failure(REFUSED + "signed by unknown authority"));
    assertThat(probe(leaf.serving(), trusting(middle))).isEqualTo(new Success(""));
  }
}
