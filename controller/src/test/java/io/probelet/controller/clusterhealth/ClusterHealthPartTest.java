package io.probelet.controller.clusterhealth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.probelet.cluster.care.ClusterCare;
import io.probelet.health.SystemClock;
import io.probelet.kube.election.ElectionTiming;
import io.probelet.web.part.ControllerContext;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two replicas of one cluster, of which one cares for it. */
@Timeout(300)
@EnableKubernetesMockClient(crud = true, https = false)
class ClusterHealthPartTest {
  private KubernetesMockServer server;
  private KubernetesClient client;

  /** The server waits for the client's connections, and fails after ten seconds. */
  @AfterEach
  void closeClient() {
    client.close();
  }

  @Test
  @DisplayName("CH-25 one replica checks and reports metrics; the other takes over when it ends")
  void oneCares() {
    server.expect().get().withPath("/healthz").andReturn(200, "ok").always();
    GenericKubernetesResource wish =
        client
            .genericKubernetesResources(ClusterCare.KIND)
            .resource(
                new GenericKubernetesResourceBuilder()
                    .withApiVersion("probelet.io/v1alpha1")
                    .withKind("ClusterHealth")
                    .withNewMetadata()
                    .withName("cluster")
                    .endMetadata()
                    .addToAdditionalProperties("spec", Map.of("syncPeriod", "1s"))
                    .build())
            .create();
    server // the mock itself cannot apply
        .expect()
        .patch()
        .withPath(
            "/apis/probelet.io/v1alpha1/clusterhealths/cluster/status?fieldManager=probelet&force=true")
        .andReturn(200, wish)
        .always();
    MeterRegistry first = new SimpleMeterRegistry();
    MeterRegistry second = new SimpleMeterRegistry();
    ClusterHealthPart leader = part("a", first);
    patiently(() -> available(first));
    try (ClusterHealthPart standby = part("b", second)) {
      assertThat(standby.problem()).isEmpty();
      assertThat(available(second)).isFalse();

      leader.close();

      assertThat(available(first)).isFalse();
      patiently(() -> available(second));
    }
  }

  private ClusterHealthPart part(String node, MeterRegistry metrics) {
    ElectionTiming quick =
        new ElectionTiming(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofMillis(500));
    return new ClusterHealthPart(context(node, metrics), quick);
  }

  private ControllerContext context(String name, MeterRegistry metrics) {
    return new ControllerContext(
        name, "default", client, metrics, SystemClock.INSTANCE, new Random(1));
  }

  private static boolean available(MeterRegistry metrics) {
    Gauge gauge =
        metrics
            .find("probelet_condition_status")
            .tags("condition", "APIServerAvailable", "status", "True")
            .gauge();
    return gauge != null && gauge.value() == 1;
  }

  private static void patiently(Callable<Boolean> condition) {
    await().atMost(Duration.ofMinutes(1)).until(condition);
  }
}
