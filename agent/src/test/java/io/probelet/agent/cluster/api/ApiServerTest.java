package io.probelet.agent.cluster.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.agent.cluster.ApiPods;
import io.probelet.agent.cluster.FakeApiServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How long an API server that says nothing is listened to. */
class ApiServerTest {
  /** Long enough for an answer on a machine that is busy with other things. */
  private static final Duration SHORT = Duration.ofSeconds(3);

  private FakeApiServer api;
  private KubernetesClient client;
  private ApiServer server;

  @BeforeEach
  void start() throws IOException {
    api = new FakeApiServer();
    client = api.client();
    server = new ApiServer(client, SHORT);
  }

  @AfterEach
  void stop() {
    client.close();
    api.close();
  }

  @Test
  @DisplayName("a request that is never answered ends; the next one gets through")
  void hungRequest() throws Exception {
    api.hangOn("limit=");
    assertThatThrownBy(() -> server.get("/api/v1/pods?limit=5"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("GET /api/v1/pods?limit=5: no answer within 3 s");
    assertThat(server.get("/api/v1/pods?limit=5")).isNotEmpty();
  }

  @Test
  @DisplayName("a watch that is never answered ends; so does one that falls silent, but no other")
  void hungWatch() throws Exception {
    String watch = "/api/v1/pods?watch=true&resourceVersion=100";
    api.hangOn("watch=");
    assertThatThrownBy(() -> server.stream(watch, SHORT, _ -> {}))
        .hasMessageContaining("no answer within");

    List<String> lines = new CopyOnWriteArrayList<>();
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            server.stream(watch, SHORT, lines::add);
            ended.complete(null);
          } catch (ApiException | InterruptedException end) {
            ended.complete(end);
          }
        });
    await().until(() -> api.openWatches() == 1);
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < SHORT.plusSeconds(1).toNanos()) {
      int before = lines.size();
      api.put(ApiPods.running("a"));
      await().until(() -> lines.size() > before);
      assertThat(ended).isNotDone();
    }
    assertThat(ended.get(60, TimeUnit.SECONDS)).hasMessageContaining("silent for 3 s");
  }
}
