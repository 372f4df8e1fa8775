package io.probelet.monitor.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.probelet.health.ReservedPort;
import io.probelet.monitor.availability.UnavailableException;
import io.probelet.monitor.check.NodeCheckResult.Problem;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubeletCheckTest {
  private static HttpServer kubelet(int port, int status, String body) throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 8);
    server.createContext(
        "/healthz",
        exchange -> {
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    return server;
  }

  @ParameterizedTest
  @CsvSource({"500, true", "500, false", "200, true", "200, false"})
  @DisplayName("B-9 kubelet: the status counts even if the body stalls or is cut off")
  void incompleteBody(int status, boolean stalls) throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    try (ServerSocket kubelet = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      URI healthz = URI.create("http://127.0.0.1:" + kubelet.getLocalPort() + "/healthz");
      FutureTask<@Nullable Void> server =
          new FutureTask<>(() -> {
            try (Socket connection = kubelet.accept()) {
              connection.getInputStream().read(new byte[4096]);
              String head = "HTTP/1.1 " + status + " S\r\nContent-Length: 10\r\n\r\nabc";
              connection.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
              if (stalls) {
                asked.await();
              }
            }
            return null;
          });
      Thread.ofVirtual().start(server);
      // Only where a body stalls is the timeout used up; a busy machine sends the status within
      // it.
      Duration timeout = stalls ? Duration.ofSeconds(3) : Duration.ofMinutes(1);
      assertThat(new KubeletCheck(healthz, true, timeout).run())
          .isEqualTo(
              status == 200
                  ? NodeCheckResult.OK
                  : new Problem(healthz + " answered with status 500"));
    } finally {
      asked.countDown();
    }
  }

  @Test
  @DisplayName("B-9 kubelet: healthy, unhealthy, gone; unavailable if nothing has ever listened")
  void healthz() throws Exception {
    ReservedPort reserved = new ReservedPort();
    int port = reserved.number();
    URI healthz = URI.create("http://127.0.0.1:" + port + "/healthz");
    KubeletCheck check = new KubeletCheck(healthz, false, Duration.ofMinutes(1));
    assertThatThrownBy(check::run)
        .isInstanceOf(UnavailableException.class)
        .hasMessage("nothing has listened at " + healthz + " since the agent started");
    HttpServer well = kubelet(port, 200, "ok");
    assertThat(check.run()).isEqualTo(NodeCheckResult.OK);
    well.stop(0);
    HttpServer unwell = kubelet(port, 500, "[-]syncloop failed\n");
    assertThat(check.run())
        .isEqualTo(new Problem(healthz + " answered with status 500: [-]syncloop failed"));
    unwell.stop(0);
    assertThat(check.run()).isEqualTo(new Problem("kubelet does not listen at " + healthz));
    reserved.close();
  }
}
