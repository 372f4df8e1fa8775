package io.probelet.web.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.probelet.health.SystemClock;
import io.probelet.kube.certificate.CertificateFolder;
import io.probelet.web.http.HttpEndpoint;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.Resource.Answer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CertifiedServerTest {
  @TempDir private Path folder;
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicReference<HttpsServer> open = new AtomicReference<>();
  private CertifiedServer server;

  @BeforeEach
  void start() {
    server =
        new CertifiedServer(
            "metrics",
            CertificateFolder.ofFiles(folder, SystemClock.INSTANCE),
            "127.0.0.1:0",
            certificate -> {
              opened.incrementAndGet();
              open.set(
                  HttpsServer.open(
                      certificate,
                      (loop, keys) ->
                          HttpEndpoint.ofScrapes(
                              ListenAddress.parse("127.0.0.1:0"),
                              loop,
                              keys,
                              "/metrics",
                              (_, _) -> Answer.of(200, "text/plain", "yes"),
                              SystemClock.INSTANCE)));
              return open.get();
            },
            Duration.ofMillis(20));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private int get(TestTls tls) throws Exception {
    try (HttpClient client = HttpClient.newBuilder().sslContext(tls.trusting()).build()) {
      return client
          .send(
              HttpRequest.newBuilder(
                      URI.create("https://localhost:" + open.get().port() + "/metrics"))
                  .build(),
              BodyHandlers.ofString())
          .statusCode();
    }
  }

  private void awaitState(String state) {
    await().atMost(Duration.ofSeconds(30)).until(() -> server.state().contains(state));
  }

  @Test
  @DisplayName("nothing listens without a certificate, and that is said; then it does, and renews")
  void life() throws Exception {
    awaitState("metrics not served: no tls.crt with its tls.key in " + folder);
    assertThat(opened).hasValue(0);
    TestTls first = TestTls.make();
    first.writeTo(folder);
    awaitState("metrics served on 127.0.0.1:0");
    assertThat(get(first)).isEqualTo(200);
    TestTls second = TestTls.make();
    second.writeTo(folder);
    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptionsInstanceOf(SSLHandshakeException.class)
        .until(() -> get(second) == 200);
    assertThatThrownBy(() -> get(first)).isInstanceOf(SSLHandshakeException.class);
    Files.writeString(folder.resolve("tls.crt"), "no certificate");
    awaitState("metrics still served with the previous certificate: tls.crt and tls.key cannot be");
    assertThat(get(second)).isEqualTo(200);
    assertThat(opened).hasValue(1);
  }

  @Test
  @DisplayName("an authority's key beside it is not taken to issue certificates from")
  void authorityIsNotUsed() throws Exception {
    Files.writeString(folder.resolve("ca.crt"), "anything");
    Files.writeString(folder.resolve("ca.key"), "anything");
    awaitState("metrics not served: no tls.crt with its tls.key in " + folder);
    assertThat(opened).hasValue(0);
  }
}
