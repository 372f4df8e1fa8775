package io.probelet.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.probelet.health.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects that many checks look at. */
@Timeout(120)
@EnableKubernetesMockClient(crud = true, https = false)
class SharedReadsTest {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-22T12:00:00Z"));
  private final SharedReads reads = new SharedReads(Duration.ofSeconds(1), clock);
  private KubernetesMockServer server;
  private KubernetesClient client;

  /** The server waits for the client's connections, and fails after ten seconds. */
  @AfterEach
  void closeClient() {
    client.close();
  }

  private Optional<Service> door() throws InterruptedException {
    return reads.find(client, ObjectKind.of(Service.class), "town", "door");
  }

  private void create() {
    client
        .resource(
            new ServiceBuilder()
                .withNewMetadata()
                .withNamespace("town")
                .withName("door")
                .endMetadata()
                .build())
        .create();
  }

  @Test
  @DisplayName("CH-49 five hundred concurrent reads are one request")
  void atOnce() throws Exception {
    create();
    int before = server.getRequestCount();
    try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Optional<Service>>> asking = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        asking.add(this::door);
      }
      for (Future<Optional<Service>> answer : all.invokeAll(asking)) {
        assertThat(answer.get()).isPresent();
      }
    }
    assertThat(server.getRequestCount() - before).isEqualTo(1);
  }

  @Test
  @DisplayName("CH-49 what is not fresh any more is read again; not being there is an answer, too")
  void fresh() throws InterruptedException {
    assertThat(door()).isEmpty();
    create();
    clock.advance(Duration.ofSeconds(1));
    assertThat(door()).isEmpty();
    clock.advance(Duration.ofNanos(1));
    assertThat(door()).isPresent();
  }

  @Test
  @DisplayName("CH-49 retries a failed read on the next call")
  void refused() throws InterruptedException {
    create();
    server
        .expect()
        .get()
        .withPath("/api/v1/namespaces/town/services/door")
        .andReturn(403, new StatusBuilder().withCode(403).build())
        .once();
    assertThatThrownBy(this::door).isInstanceOf(KubernetesClientException.class);
    assertThat(door()).isPresent();
  }

  @Test
  @DisplayName("CH-40 kinds without a model can be looked at, too")
  void generic() throws InterruptedException {
    create();
    Optional<GenericKubernetesResource> found =
        reads.find(
            client,
            ObjectKind.of(
                new ResourceDefinitionContext.Builder()
                    .withVersion("v1")
                    .withKind("Service")
                    .withPlural("services")
                    .withNamespaced(true)
                    .build()),
            "town",
            "door");
    assertThat(found).hasValueSatisfying(door -> assertThat(door.getKind()).isEqualTo("Service"));
  }
}
