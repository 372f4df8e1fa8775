package io.probelet.controller.remediation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.health.Threads;
import io.probelet.kube.certificate.CertificateAuthority;
import io.probelet.kube.certificate.ServingCertificate;
import io.probelet.nodehealth.resource.RunningRemediations;
import io.probelet.nodehealth.resource.TemplateKinds;
import io.probelet.nodehealth.webhook.AdmissionReviews;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.TestSockets;
import io.probelet.web.tls.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What anybody may send who reaches the webhook's port. An honest review is answered all along. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
class WebhookAttackTest {
  private static final int MAX_BODY = 256 * 1024;
  private static final int MAX_CONNECTIONS = 64;
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final String REVIEW = "{\"request\": {\"uid\": \"7\", \"operation\": \"CREATE\"}}";

  private final List<Socket> attackers = new ArrayList<>();
  private SSLContext tls;
  private HttpsServer server;

  @BeforeEach
  void open() throws Exception {
    Instant now = Instant.now();
    CertificateAuthority authority =
        CertificateAuthority.make("localhost", now, Duration.ofDays(1));
    ServingCertificate certificate = authority.issue(List.of("localhost"), now, Duration.ofDays(1));
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry("webhook", authority.certificate());
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    tls = SSLContext.getInstance("TLS");
    tls.init(null, factory.getTrustManagers(), null);
    server =
        WebhookServer.open(
            ListenAddress.parse("127.0.0.1:0"),
            WebhookServer.resources(
                new AdmissionReviews(TemplateKinds.UNKNOWN, RunningRemediations.UNKNOWN),
                Threads.MACHINE),
            certificate);
  }

  @AfterEach
  void close() throws IOException {
    for (Socket attacker : attackers) {
      attacker.close();
    }
    server.close();
  }

  private Socket plain() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    attackers.add(socket);
    return socket;
  }

  private SSLSocket secure() throws IOException {
    SSLSocket socket =
        (SSLSocket) tls.getSocketFactory().createSocket(plain(), "localhost", server.port(), true);
    socket.startHandshake();
    attackers.add(socket);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private static String head(long length) {
    return "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
        .formatted(WebhookServer.PATH, length);
  }

  /** The first line of the answer; empty if the connection was ended without one. */
  private static String status(Socket socket) throws IOException {
    socket.setSoTimeout((int) TIMEOUT.toMillis());
    StringBuilder line = new StringBuilder();
    InputStream in = socket.getInputStream();
    for (int next = in.read(); next >= 0 && next != '\r'; next = in.read()) {
      line.append((char) next);
    }
    return line.toString();
  }

  private void assertHonestIsAnswered() throws IOException {
    Socket honest = secure();
    send(honest, head(REVIEW.length()) + REVIEW);
    assertThat(status(honest)).isEqualTo("HTTP/1.1 200 OK");
    honest.close();
  }

  private void assertEnded(List<? extends Socket> sockets) {
    await().atMost(TIMEOUT).untilAsserted(() -> assertThat(sockets).noneMatch(TestSockets::isOpen));
  }

  @Test
  @DisplayName("B4 a request of 4 MB is refused by its length, unread; one a byte too long as well")
  void tooLarge() throws IOException {
    Socket attacker = secure();
    send(attacker, head(4 << 20));
    assertThat(status(attacker)).isEqualTo("HTTP/1.1 413 Request Entity Too Large");
    String padded = REVIEW + " ".repeat(MAX_BODY - REVIEW.length());
    Socket fits = secure();
    send(fits, head(padded.length()) + padded);
    assertThat(status(fits)).isEqualTo("HTTP/1.1 200 OK");
    Socket byOne = secure();
    send(byOne, head(padded.length() + 1) + padded + " ");
    assertThat(status(byOne)).isEqualTo("HTTP/1.1 413 Request Entity Too Large");
    assertHonestIsAnswered();
  }

  @Test
  @DisplayName("B4 a body in chunks that never ends is refused at 256 KiB, and the connection ends")
  void endless() throws IOException {
    Socket attacker = secure();
    send(
        attacker,
        "POST "
            + WebhookServer.PATH
            + " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
    String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
    for (int i = 0; i < 5; i++) {
      send(attacker, chunk);
    }
    assertThat(status(attacker)).isEqualTo("HTTP/1.1 413 Request Entity Too Large");
    attacker.getInputStream().readNBytes(1000);
    assertEnded(List.of(attacker));
  }

  @Test
  @DisplayName("B4 bodies that are sent by half are not waited for, nor are others because of them")
  void halfSent() throws IOException {
    List<Socket> halves = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Socket attacker = secure();
      send(attacker, head(1000) + "{\"request\": ");
      halves.add(attacker);
    }
    assertHonestIsAnswered();
    assertEnded(halves);
  }

  @Test
  @DisplayName("B4 headers that drip, or never come, are not waited for")
  void dripping() throws IOException {
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Socket attacker = secure();
      send(attacker, "POST " + WebhookServer.PATH + " HTTP/1.1\r\nX-Slow: ");
      slow.add(attacker);
    }
    slow.add(secure());
    await()
        .pollInterval(Duration.ofMillis(500))
        .atMost(TIMEOUT)
        .untilAsserted(() -> {
          for (Socket attacker : slow.subList(0, 20)) {
            drip(attacker);
          }
          assertThat(slow).noneMatch(TestSockets::isOpen);
        });
    assertHonestIsAnswered();
  }

  private static void drip(Socket socket) {
    try {
      send(socket, "x");
    } catch (IOException ended) {
      // which is what this waits for
    }
  }

  @Test
  @DisplayName("B4 of 300 idle TLS connections 64 are kept, and those not for long")
  void idle() throws IOException {
    List<Socket> idle = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      idle.add(secure());
    }
    // What gives way is closed by the server's own loop.
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() ->
            assertThat(idle.stream().filter(TestSockets::isOpen))
                .hasSizeLessThanOrEqualTo(MAX_CONNECTIONS));
    assertHonestIsAnswered();
    assertEnded(idle);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12345",
        "GET %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n",
        "GET /nowhere?%s HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST %s HTTP/1.1\r\nHost: local"
      })
  @DisplayName("160 requests without end keep the API server from nothing")
  void unfinished(String request) throws IOException {
    for (int i = 0; i < 160; i++) {
      try {
        send(secure(), request.formatted(WebhookServer.PATH));
      } catch (IOException evicted) {
        // in favor of a newer connection
      }
    }
    for (int i = 0; i < 18; i++) {
      assertHonestIsAnswered();
    }
  }

  @Test
  @DisplayName("B4 does not wait for a client without a handshake")
  void silent() throws IOException {
    List<Socket> silent = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      silent.add(plain());
    }
    assertHonestIsAnswered();
    assertEnded(silent);
  }

  @Test
  @DisplayName("requests that do not wait for their answers get one, and the connection ends")
  void pipelined() throws IOException {
    Socket attacker = secure();
    send(attacker, (head(REVIEW.length()) + REVIEW).repeat(5));
    attacker.setSoTimeout((int) TIMEOUT.toMillis());
    String all = new String(attacker.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(all).containsOnlyOnce("HTTP/1.1 200 OK");
    assertHonestIsAnswered();
  }

  @Test
  @DisplayName("a connection that is used again stays open")
  void kept() throws IOException {
    Socket honest = secure();
    for (int i = 0; i < 1000; i++) {
      send(honest, head(REVIEW.length()) + REVIEW);
      assertThat(status(honest)).as("answer %d", i).isEqualTo("HTTP/1.1 200 OK");
      int length = 0;
      for (String line = status(honest).strip(); !line.isEmpty(); line = status(honest).strip()) {
        if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
          length = Integer.parseInt(line.substring(15).strip());
        }
      }
      honest.getInputStream().readNBytes(length + 1); // the last line's end too
    }
  }
}
