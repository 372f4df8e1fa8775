package io.probelet.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import io.probelet.checks.result.CheckResult;
import io.probelet.health.ManualClock;
import io.probelet.health.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statuses whose class does not keep everything that other controllers write. */
@Timeout(120)
@EnableKubernetesMockClient(crud = true, https = false)
class OthersConditionsTest {
  private static final ResourceDefinitionContext SHOPS =
      new ResourceDefinitionContext.Builder()
          .withGroup("demo.example")
          .withVersion("v1")
          .withKind("Shop")
          .withPlural("shops")
          .withNamespaced(true)
          .build();
  private static final Map<String, Object> FOREIGN =
      Map.of(
          "type",
          "Paid",
          "status",
          "True",
          "reason",
          "R",
          "by",
          Map.of("bank", 3),
          "lastTransitionTime",
          "2026-01-01T00:00:00Z");

  /** An author's status without conditions. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  static class UrlOnly {
    public String url = "";
  }

  /** An author's status that keeps of each condition what fabric8's model has. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  static class Standard {
    public List<Condition> conditions = new ArrayList<>();
  }

  @Group("demo.example")
  @Version("v1")
  @Kind("Shop")
  @Plural("shops")
  static class UrlShop extends CustomResource<Void, UrlOnly> implements Namespaced {}

  @Group("demo.example")
  @Version("v1")
  @Kind("Shop")
  @Plural("shops")
  static class StandardShop extends CustomResource<Void, Standard> implements Namespaced {}

  @Group("demo.example")
  @Version("v1")
  @Kind("Shop")
  @Plural("shops")
  static class VoidShop extends CustomResource<Void, Void> implements Namespaced {}

  private final VirtualTime time = new VirtualTime();
  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final AtomicInteger rounds = new AtomicInteger();
  private KubernetesClient client;
  private AutoCloseable controller = () -> {};

  @AfterEach
  void close() throws Exception {
    controller.close();
    client.close(); // the server waits for its connections, and fails after ten seconds
  }

  @ParameterizedTest
  @ValueSource(classes = {UrlShop.class, StandardShop.class, VoidShop.class})
  @DisplayName("CH-2 conditions and fields that the status class does not know survive")
  void rethrowIfFatal(Class<? extends HasMetadata> kind) {
    create(Map.of("url", "http://x", "open", true, "conditions", List.of(FOREIGN)));
    start(kind);

    time.await(Duration.ZERO).until(() -> conditions().size() == 2);
    assertThat(conditions()).first().isEqualTo(FOREIGN);
    assertThat(status()).containsEntry("url", "http://x").containsEntry("open", true);
  }

  @ParameterizedTest
  @ValueSource(classes = {UrlShop.class, StandardShop.class, VoidShop.class})
  @DisplayName("CH-5 a condition that the status class does not know is not written each round")
  void quiet(Class<? extends HasMetadata> kind) {
    create(Map.of("url", "http://x"));
    start(kind);
    time.await(Duration.ZERO).until(() -> conditions().size() == 1);
    String version = shop().getMetadata().getResourceVersion();

    int before = rounds.get();
    time.await(HealthChecks.DEFAULT_SYNC_PERIOD).until(() -> rounds.get() > before + 2);
    assertThat(shop().getMetadata().getResourceVersion()).isEqualTo(version);
  }

  @Test
  @DisplayName("CC-12 a condition that another writer adds during the round survives")
  void anotherWriter() {
    create(Map.of("url", "http://x"));
    controller =
        HealthChecks.of(UrlShop.class)
            .check(
                "Fine",
                run -> {
                  if (rounds.getAndIncrement() == 0) {
                    writeStatus(Map.of("url", "http://y", "conditions", List.of(FOREIGN)));
                  }
                  return CheckResult.healthy();
                })
            .start(client, time.loop("health-checks"));

    time.await(Duration.ZERO).until(() -> conditions().size() == 2);
    assertThat(conditions()).first().isEqualTo(FOREIGN);
    assertThat(status()).containsEntry("url", "http://y");
  }

  @Test
  @DisplayName("CH-2 a status that has no list of conditions is left as it is")
  void noList() {
    create(Map.of("conditions", Map.of("Paid", "True")));
    start(VoidShop.class);
    time.await(HealthChecks.DEFAULT_SYNC_PERIOD).until(() -> rounds.get() > 1);

    assertThat(status()).isEqualTo(Map.of("conditions", Map.of("Paid", "True")));
  }

  @Test
  @DisplayName("CH-10 an object whose class cannot hold it any more is Unknown, and said so")
  void unreadable() {
    create(
        Map.of("url", List.of(1), "conditions", List.of(Map.of("type", "Fine", "status", "True"))));
    start(UrlShop.class);
    time.await(HealthChecks.DEFAULT_SYNC_PERIOD)
        .until(() -> conditions().getFirst().get("status"), "Unknown"::equals);

    assertThat(conditions().getFirst().get("message").toString())
        .startsWith("unable to execute any health check: cannot be read as a Shop: ");
  }

  @Test
  @DisplayName("CH-3 spec.type selects, too, where the class has no spec")
  void specType() {
    create(Map.of());
    GenericKubernetesResource shop = shop();
    shop.setAdditionalProperty("spec", Map.of("type", "stall"));
    client.genericKubernetesResources(SHOPS).inNamespace("town").resource(shop).update();
    controller =
        HealthChecks.of(VoidShop.class)
            .ofSpecType("stall")
            .check("Fine", run -> CheckResult.healthy())
            .start(client, time.loop("health-checks"));

    time.await(Duration.ZERO).until(() -> conditions().size() == 1);
  }

  @Test
  @DisplayName("CH-41 an object in the cluster is checked by what its class drops, too")
  void otherObject() {
    create(Map.of("conditions", List.of(Map.of("type", "Ready", "status", "False"))));
    controller =
        HealthChecks.of(VoidShop.class)
            .check("Fine", ObjectInCluster.named(UrlShop.class, any -> "books"))
            .start(client, time.loop("health-checks"));

    time.await(Duration.ZERO).until(() -> conditions().size() == 2);
    assertThat(conditions().getLast()).containsEntry("status", "False");
  }

  private <T extends HasMetadata> void start(Class<T> kind) {
    controller =
        HealthChecks.of(kind)
            .check(
                "Fine",
                run -> {
                  rounds.incrementAndGet();
                  clock.advance(Duration.ofMinutes(1));
                  return CheckResult.unhealthy("it rains");
                })
            .clock(clock)
            .start(client, time.loop("health-checks"));
  }

  private void create(Map<String, Object> status) {
    GenericKubernetesResource shop = new GenericKubernetesResource();
    shop.setApiVersion("demo.example/v1");
    shop.setKind("Shop");
    shop.setMetadata(new ObjectMetaBuilder().withNamespace("town").withName("books").build());
    client.genericKubernetesResources(SHOPS).inNamespace("town").resource(shop).create();
    writeStatus(status);
  }

  private void writeStatus(Map<String, Object> status) {
    GenericKubernetesResource shop = shop();
    shop.setAdditionalProperty("status", status);
    client.genericKubernetesResources(SHOPS).inNamespace("town").resource(shop).updateStatus();
  }

  private GenericKubernetesResource shop() {
    return client.genericKubernetesResources(SHOPS).inNamespace("town").withName("books").get();
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> status() {
    return (Map<String, Object>) shop().getAdditionalProperties().getOrDefault("status", Map.of());
  }

  @SuppressWarnings("unchecked")
  private List<Map<String, Object>> conditions() {
    return (List<Map<String, Object>>) status().getOrDefault("conditions", List.of());
  }
}
