package io.probelet.nodehealth.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.VirtualTime;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ObjectPatchesTest {
  private static final int MANY = 3 * ObjectPatches.MAX_AT_ONCE;

  private final VirtualTime time = new VirtualTime();
  private final AtomicBoolean term = new AtomicBoolean(true);
  private final List<String> answers = new ArrayList<>();
  private FakeApiServer server;
  private KubernetesClient client;
  private ObjectPatches patches;

  @BeforeEach
  void begin() throws IOException {
    server = new FakeApiServer(time.clock());
    client = server.client();
    patches =
        new ObjectPatches(
            ApiServer.of(client, Duration.ofSeconds(5)),
            term::get,
            new ReconcileLoop(time.loop("test"), time.clock()));
  }

  @AfterEach
  void end() {
    client.close();
    server.close();
  }

  private void send(String node) {
    patches.send(
        "/api/v1/nodes/" + node,
        ApiServer.MERGE_PATCH,
        JsonNodeFactory.instance.objectNode(),
        (answer, _) -> answers.add(answer.summary()));
  }

  private long sent() {
    return server.requests().stream().filter(each -> each.method().equals("PATCH")).count();
  }

  @Test
  @DisplayName("a few run, or wait for the loop, at once; the others follow")
  void few() {
    for (int i = 0; i < MANY; i++) {
      send("node-" + i);
    }
    // None of these nodes exists: each patch is followed by a read.
    Awaitility.await().until(() -> server.requests().size() >= 2 * ObjectPatches.MAX_AT_ONCE);
    assertThat(sent()).as("while the loop takes no response").isEqualTo(ObjectPatches.MAX_AT_ONCE);
    time.await(Duration.ZERO).until(() -> answers.size() == MANY);
    assertThat(sent()).isEqualTo(MANY);
  }

  @Test
  @DisplayName("what waits when the term ends is not sent")
  void termEnds() {
    for (int i = 0; i < MANY; i++) {
      send("node-" + i);
    }
    Awaitility.await().until(() -> server.requests().size() >= 2 * ObjectPatches.MAX_AT_ONCE);
    term.set(false);
    time.await(Duration.ZERO).until(() -> answers.size() == ObjectPatches.MAX_AT_ONCE);
    assertThat(sent()).isEqualTo(ObjectPatches.MAX_AT_ONCE);
  }

  @Test
  @DisplayName("an internal error is an answer, so that nobody waits for it forever")
  void mistake() {
    send("not a path");
    time.await(Duration.ZERO).until(() -> !answers.isEmpty());
    assertThat(answers).singleElement().asString().contains("internal error");
  }
}
