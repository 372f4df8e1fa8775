package io.probelet.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.probelet.checks.error.ErrorCode;
import io.probelet.checks.result.CheckAggregator;
import io.probelet.checks.result.CheckResult;
import io.probelet.checks.result.ConditionUpdate;
import io.probelet.health.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient
class ConditionWriterTest {

  private static final String PATH = "/apis/shop.example/v1/namespaces/town/shops/books";
  private static final Map<String, ConditionUpdate> VERDICTS =
      Map.of("Fine", CheckAggregator.aggregate(List.of(CheckResult.unhealthy("it rains"))));
  private static final Map<String, ConditionUpdate> ROLLING_OUT =
      Map.of(
          "Fine",
          CheckAggregator.aggregate(
              List.of(CheckResult.progressing("it rolls out", Duration.ofMinutes(5)))));
  private static final Map<String, Object> FOREIGN =
      Map.of("type", "Paid", "status", "True", "by", "the bank");

  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00.9Z"));
  private KubernetesMockServer server;
  private KubernetesClient client;

  /** The server waits for the client's connections, and fails after ten seconds. */
  @AfterEach
  void closeClient() {
    client.close();
  }

  @Test
  @DisplayName("CC-12 a conflict is retried on the newest object, no condition of others lost")
  void conflict() throws Exception {
    server.expect().patch().withPath(PATH + "/status").andReturn(409, conflicted()).once();
    server.expect().get().withPath(PATH).andReturn(200, shop("8", List.of(FOREIGN))).once();
    server
        .expect()
        .patch()
        .withPath(PATH + "/status")
        .andReturn(200, shop("9", List.of(FOREIGN, Map.of("type", "Fine"))))
        .once();

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
    GenericKubernetesResource old = shop("7", List.of());
    old.getMetadata().setUid("old");
    GenericKubernetesResource anew = shop("8", List.of());
    anew.getMetadata().setUid("new");
    server.expect().patch().withPath(PATH + "/status").andReturn(409, conflicted()).once();
    server.expect().get().withPath(PATH).andReturn(200, anew).once();
    server.expect().patch().withPath(PATH + "/status").andReturn(200, anew).always();

    writer().write(old, VERDICTS);

    assertThat(server.getRequestCount()).isEqualTo(2);
  }

  @Test
  @DisplayName("CC-5 does not write an unchanged condition")
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

  @Test
  @DisplayName("CH-52 Progressing becomes Unknown once the CRD refuses it, and stays so")
  void progressingRefused() throws Exception {
    server.expect().patch().withPath(PATH + "/status").andReturn(422, refused()).once();
    server
        .expect()
        .patch()
        .withPath(PATH + "/status")
        .andReturn(200, shop("8", List.of(Map.of("type", "Fine"))))
        .times(2);
    ConditionWriter writer = writer();

    writer.write(shop("7", List.of()), ROLLING_OUT);
    writer.write(shop("7", List.of()), ROLLING_OUT);

    assertThat(server.getRequestCount()).isEqualTo(3);
    assertThat(written().at("/value/0/status").asText()).isEqualTo("Progressing");
    for (int i = 0; i < 2; i++) {
      JsonNode condition = written().at("/value/0");
      assertThat(condition.get("status").asText()).isEqualTo("Unknown");
      assertThat(condition.get("reason").asText()).isEqualTo("HealthCheckProgressing");
    }
  }

  @Test
  @DisplayName("CH-52 Unknown for Progressing becomes False when the threshold is over")
  void progressingUnknownTooLong() throws Exception {
    server
        .expect()
        .patch()
        .withPath(PATH + "/status")
        .andReturn(200, shop("8", List.of(Map.of("type", "Fine"))))
        .once();
    Map<String, Object> since =
        Map.of(
            "type", "Fine",
            "status", "Unknown",
            "lastTransitionTime", "2025-12-31T23:00:00Z",
            "reason", "HealthCheckProgressing",
            "message", "it rolls out.");

    writer(ProgressingStatus.NEVER).write(shop("7", List.of(since)), ROLLING_OUT);

    assertThat(written().at("/value/0/status").asText()).isEqualTo("False");
  }

  @Test
  @DisplayName("CH-52 what shall always be Progressing is not written where that is refused")
  void progressingAlways() {
    server.expect().patch().withPath(PATH + "/status").andReturn(422, refused()).always();

    assertThatThrownBy(
            () -> writer(ProgressingStatus.ALWAYS).write(shop("7", List.of()), ROLLING_OUT))
        .hasMessageContaining("supported values");
    assertThat(server.getRequestCount()).isEqualTo(1);
  }

  @Test
  @DisplayName("CH-53 codes that the CRD drops are not written in each round")
  void codesDropped() {
    Map<String, Object> kept =
        Map.of(
            "type", "Fine",
            "status", "False",
            "lastTransitionTime", "2026-01-01T00:00:00Z",
            "reason", "HealthCheckUnsuccessful",
            "message", "it rains.");
    server
        .expect()
        .patch()
        .withPath(PATH + "/status")
        .andReturn(200, shop("8", List.of(kept)))
        .always();
    Map<String, ConditionUpdate> coded =
        Map.of(
            "Fine",
            CheckAggregator.aggregate(
                List.of(CheckResult.unhealthy("it rains", ErrorCode.ERR_CONFIGURATION_PROBLEM))));
    ConditionWriter writer = writer();

    writer.write(shop("7", List.of()), coded);
    writer.write(shop("8", List.of(kept)), coded);

    assertThat(server.getRequestCount()).isEqualTo(1);
  }

  @Test
  @DisplayName("CH-53 a CRD that drops conditions is reported")
  void conditionsDropped() {
    server
        .expect()
        .patch()
        .withPath(PATH + "/status")
        .andReturn(200, shop("8", List.of()))
        .always();

    assertThatThrownBy(() -> writer().write(shop("7", List.of()), VERDICTS))
        .hasMessage(
            "the API server dropped condition Fine; add status.conditions to the schema of"
                + " the CRD");
  }

  @Test
  @DisplayName("CH-2 fields that another writer added to our condition survive")
  void fieldsOfOurCondition() throws Exception {
    Map<String, Object> extended =
        Map.of("type", "Fine", "status", "True", "observedGeneration", 3, "codes", List.of("A"));
    server
        .expect()
        .patch()
        .withPath(PATH + "/status")
        .andReturn(200, shop("8", List.of(extended)))
        .once();

    writer().write(shop("7", List.of(extended)), VERDICTS);

    JsonNode condition = written().at("/value/0");
    assertThat(condition.get("status").asText()).isEqualTo("False");
    assertThat(condition.get("observedGeneration").asInt()).isEqualTo(3);
    assertThat(condition.has("codes")).isFalse();
  }

  private JsonNode written() throws Exception {
    JsonNode patch = new ObjectMapper().readTree(server.takeRequest().getBody().readUtf8());
    return patch.get(patch.size() - 1);
  }

  private ConditionWriter writer() {
    return writer(ProgressingStatus.WHERE_ACCEPTED);
  }

  private ConditionWriter writer(ProgressingStatus progressing) {
    return new ConditionWriter(
        ResourceAccess.typed(Shop.class), client, Set.of(), progressing, clock);
  }

  private static Object refused() {
    return new StatusBuilder()
        .withCode(422)
        .withReason("Invalid")
        .withMessage("status.conditions[0].status: supported values: True, False, Unknown")
        .build();
  }

  private static GenericKubernetesResource shop(
      String version, List<Map<String, Object>> conditions) {
    GenericKubernetesResource shop = new GenericKubernetesResource();
    shop.setApiVersion("shop.example/v1");
    shop.setKind("Shop");
    shop.setMetadata(
        new ObjectMetaBuilder()
            .withName("books")
            .withNamespace("town")
            .withResourceVersion(version)
            .build());
    shop.setAdditionalProperty("status", Map.of("conditions", conditions));
    return shop;
  }

  private static Object conflicted() {
    return new StatusBuilder().withCode(409).withReason("Conflict").withMessage("newer").build();
  }
}
