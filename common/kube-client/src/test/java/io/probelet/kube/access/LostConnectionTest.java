package io.probelet.kube.access;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A connection whose other end is gone without a word, as after a power failure. */
@Timeout(120)
class LostConnectionTest {
  @TempDir Path home;

  @Test
  @DisplayName("after a request without an answer the next one uses another connection")
  void silence() throws Exception {
    WireMockServer server =
        new WireMockServer(WireMockConfiguration.options().dynamicPort().dynamicHttpsPort());
    server.start();
    server.stubFor(any(anyUrl()).willReturn(okJson("{}")));
    try (Wire wire = new Wire(server.httpsPort());
        ClusterAccess access = new ClusterAccess(kubeconfig(wire.port()), SystemClock.INSTANCE)) {
      ApiServer api = ApiServer.of(access.client(), Duration.ofSeconds(5));
      assertThat(api.get("/version")).isInstanceOf(Done.class);
      assertThat(api.get("/version")).isInstanceOf(Done.class);
      assertThat(wire.connections()).as("HTTP/2 or kept alive").isEqualTo(1);
      wire.loseAll();
      assertThat(api.get("/version")).isInstanceOf(Unanswered.class);
      assertThat(api.get("/version")).isInstanceOf(Done.class);
      assertThat(server.getAllServeEvents())
          .allMatch(event -> event.getRequest().getProtocol().equals("HTTP/2.0"));
    } finally {
      server.stop();
    }
  }

  private Path kubeconfig(int port) throws IOException {
    return Files.writeString(
        home.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "https://127.0.0.1:%d", insecure-skip-tls-verify: true}}]
        users: [{name: u, user: {token: t}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(port));
  }

  /** Passes bytes on, but for connections that were lost. */
  private static final class Wire implements AutoCloseable {
    private final ServerSocket listening;
    private final int behind;
    private final AtomicInteger connections = new AtomicInteger();

    /** Connections up to this number are lost. */
    private volatile int lost;

    Wire(int behind) throws IOException {
      this.behind = behind;
      listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      Thread.ofVirtual().start(this::accept);
    }

    int port() {
      return listening.getLocalPort();
    }

    int connections() {
      return connections.get();
    }

    void loseAll() {
      lost = connections.get();
    }

    private void accept() {
      try {
        while (true) {
          Socket client = listening.accept();
          Socket server = new Socket(InetAddress.getLoopbackAddress(), behind);
          int number = connections.incrementAndGet();
          Thread.ofVirtual().start(() -> pass(client, server, number));
          Thread.ofVirtual().start(() -> pass(server, client, number));
        }
      } catch (IOException closed) {
        return;
      }
    }

    private void pass(Socket from, Socket to, int number) {
      try (from;
          to) {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        byte[] bytes = new byte[8192];
        for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
          if (number > lost) {
            out.write(bytes, 0, length);
            out.flush();
          }
        }
      } catch (IOException closed) {
        return;
      }
    }

    @Override
    public void close() throws IOException {
      listening.close();
    }
  }
}
