package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiServer;
import io.probelet.nodehealth.controller.TapeRecorder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code probelet record} of a real API server. */
@Timeout(120)
class RecordRealApiTest {
  private static final String NODE = "probelet-record-test";

  @TempDir private Path directory;

  @Test
  @DisplayName("TP-8 records nodes of an API server without NodeHealthChecks")
  void nodes() throws Exception {
    List<String> lines = new CopyOnWriteArrayList<>();
    try (RealApi real = RealApi.open(directory);
        KubernetesClient client = real.client();
        TapeRecorder recorder =
            new TapeRecorder(
                ApiServer.of(client, Duration.ofSeconds(20)),
                "real",
                lines::add,
                SystemClock.INSTANCE,
                new Random(1),
                TapeRecorder.thread())) {
      await().atMost(Duration.ofMinutes(1)).until(() -> !lines.isEmpty());
      client
          .nodes()
          .resource(new NodeBuilder().withNewMetadata().withName(NODE).endMetadata().build())
          .create();
      try {
        await().until(() -> lines.stream().anyMatch(line -> line.contains("\"name\":\"" + NODE)));
        client
            .nodes()
            .withName(NODE)
            .edit(node -> {
              node.getSpec().setUnschedulable(true);
              return node;
            });
        await().until(() -> lines.stream().anyMatch(line -> line.contains("\"cordon\"")));
      } finally {
        client.nodes().withName(NODE).delete();
      }
      await().until(() -> lines.getLast().contains("\"nodeGone\":\"" + NODE + "\""));
      assertThat(recorder.end().get(60, TimeUnit.SECONDS)).isTrue();
      assertThat(lines.getLast()).endsWith("\"end\":true}");
    }
  }
}
