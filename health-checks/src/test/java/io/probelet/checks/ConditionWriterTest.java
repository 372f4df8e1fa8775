package io.probelet.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.probelet.checks.result.CheckAggregator;
import io.probelet.checks.result.CheckResult;
import io.probelet.checks.result.ConditionUpdate;
import io.probelet.health.ManualClock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient
class ConditionWriterTest {

  private static final String PATH = "/apis/shop.example/v1/namespaces/town/shops/books";
  private static final Map<String, ConditionUpdate> VERDICTS =
      Map.of("Fine", CheckAggregator.aggregate(List.of(CheckResult.unhealthy("it rains"))));
  private static final Map<String, Object> FOREIGN =
      Map.of("type", "Paid", "status", "True", "by", "the bank");

  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00.9Z"));
  private KubernetesMockServer server;
  private KubernetesClient client;

  @Test
  @DisplayName("CC-12 a conflict is retried on the newest object, no condition of others lost")
  void conflict() throws Exception {
    server.expect().patch().withPath(PATH + "/status").andReturn(409, conflicted()).once();
    server.expect().get().withPath(PATH).andReturn(200, shop("8", List.of(FOREIGN))).once();
    server.expect().patch().withPath(PATH + "/status").andReturn(200, shop("9", List.of())).once();

    writer().write(shop("7", List.of()), VERDICTS);

    JsonNode first = new ObjectMapper().readTree(server.takeRequest().getBody().readUtf8());
    server.takeRequest();
    JsonNode second = new ObjectMapper().readTree(server.takeRequest().getBody().readUtf8());
    assertThat(first.at("/0/value").asText()).isEqualTo("7");
    assertThat(second.at("/0/value").asText()).isEqualTo("8");
    JsonNode written = second.get(second.size() - 1);
    assertThat(written.get("path").asText()).isEqualTo("/status/conditions");
    assertThat(written.at("/value/0/by").asText()).isEqualTo("the bank");
    assertThat(written.at("/value/1"))
        .hasToString(
            "{\"type\":\"Fine\",\"status\":\"False\","
                + "\"lastTransitionTime\":\"2026-01-01T00:00:00Z\","
                + "\"lastUpdateTime\":\"2026-01-01T00:00:00Z\","
                + "\"reason\":\"HealthCheckUnsuccessful\",\"message\":\"it rains.\"}");
  }

  @Test
  @DisplayName("CC-12 conflicts are not retried for ever")
  void hopeless() {
    server.expect().patch().withPath(PATH + "/status").andReturn(409, conflicted()).always();
    server.expect().get().withPath(PATH).andReturn(200, shop("8", List.of())).always();

    assertThatThrownBy(() -> writer().write(shop("7", List.of()), VERDICTS))
        .isInstanceOf(KubernetesClientException.class);
    assertThat(server.getRequestCount()).isEqualTo(9);
  }

  @Test
  @DisplayName("CC-12 an object that is gone by then is no error")
  void gone() {
    server.expect().patch().withPath(PATH + "/status").andReturn(409, conflicted()).once();
    server.expect().get().withPath(PATH).andReturn(404, "").once();

    writer().write(shop("7", List.of()), VERDICTS);

    assertThat(server.getRequestCount()).isEqualTo(2);
  }

  @Test
  @DisplayName("CC-12 what was found of an object is not said of one that took its name since")
  void madeAnew() {
    Shop old = shop("7", List.of());
    old.getMetadata().setUid("old");
    Shop anew = shop("8", List.of());
    anew.getMetadata().setUid("new");
    server.expect().patch().withPath(PATH + "/status").andReturn(409, conflicted()).once();
    server.expect().get().withPath(PATH).andReturn(200, anew).once();
    server.expect().patch().withPath(PATH + "/status").andReturn(200, anew).always();

    writer().write(old, VERDICTS);

    assertThat(server.getRequestCount()).isEqualTo(2);
  }

  @Test
  @DisplayName("CC-5 what is said already is not written again")
  void unchanged() {
    writer()
        .write(
            shop(
                "7",
                List.of(
                    Map.of(
                        "type", "Fine",
                        "status", "False",
                        "lastTransitionTime", "2025-01-01T00:00:00Z",
                        "lastUpdateTime", "2025-01-01T00:00:00Z",
                        "reason", "HealthCheckUnsuccessful",
                        "message", "it rains."))),
            VERDICTS);

    assertThat(server.getRequestCount()).isZero();
  }

  private ConditionWriter<Shop> writer() {
    return new ConditionWriter<>(ResourceAccess.typed(Shop.class), client, Set.of(), clock);
  }

  private static Shop shop(String version, List<Map<String, Object>> conditions) {
    Shop shop = new Shop();
    shop.getMetadata().setName("books");
    shop.getMetadata().setNamespace("town");
    shop.getMetadata().setResourceVersion(version);
    shop.setStatus(new Shop.Status());
    shop.getStatus().conditions = conditions;
    return shop;
  }

  private static Object conflicted() {
    return new StatusBuilder().withCode(409).withReason("Conflict").withMessage("newer").build();
  }
}
