package io.probelet.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.SystemClock;
import io.probelet.probe.service.ProbeService;
import io.probelet.probe.service.SocketNetwork;
import io.probelet.web.http.HttpServers;
import io.probelet.web.http.ListenAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HangingLoopTest {
  @Test
  @DisplayName("W-14 /livez answers while a probe loop hangs, and names it")
  void livez() throws Exception {
    CountDownLatch hung = new CountDownLatch(1);
    SocketNetwork network = SocketNetwork.start(2, SystemClock.INSTANCE);
    try (ProbeService service = ProbeService.builder().network(network).start();
        Endpoints endpoints =
            Endpoints.open(
                service,
                HttpServers.start(SystemClock.INSTANCE),
                new ListenAddress("127.0.0.1", 0),
                Set::of,
                Optional.empty(),
                SystemClock.INSTANCE)) {
      network.loops().all().getFirst().eventLoop().execute(() -> awaitUninterruptibly(hung));
      try {
        HttpResponse<String> answer =
            HttpClient.newHttpClient()
                .send(
                    HttpRequest.newBuilder(URI.create("http://" + endpoints.address() + "/livez"))
                        .build(),
                    BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("event loop 0: no answer");
      } finally {
        hung.countDown();
      }
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }
}
