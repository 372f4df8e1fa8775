package io.probelet.monitor.publish;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.patch;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathMatching;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.VirtualTime;
import io.probelet.kube.ApiServer;
import io.probelet.kube.WireMockFront;
import io.probelet.monitor.MonitoredNodes;
import io.probelet.monitor.rule.ConditionSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An API server that fails at every step of publishing, once each. */
class NodePublisherFaultsTest {
  private static final Instant SINCE = Instant.parse("2026-11-21T12:00:00Z");

  private WireMockServer faulty;
  private final VirtualTime time = new VirtualTime();
  private MonitoredNodes nodes;

  /** The fault in place of a response. */
  enum Trouble {
    CONFLICT,
    ERROR,
    TOO_MANY_REQUESTS,
    FORBIDDEN,
    RESET,
    SILENCE
  }

  private static ResponseDefinitionBuilder answer(Trouble trouble) {
    return switch (trouble) {
      case CONFLICT -> aResponse().withStatus(409).withBody("{\"message\": \"conflict\"}");
      case ERROR -> aResponse().withStatus(500).withBody("oh");
      case TOO_MANY_REQUESTS -> aResponse().withStatus(429).withHeader("Retry-After", "1");
      case FORBIDDEN -> aResponse().withStatus(403).withBody("{\"message\": \"no right\"}");
      case RESET -> aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER);
      case SILENCE -> aResponse().withFixedDelay(2000).withStatus(200);
    };
  }

  @BeforeEach
  void open() throws Exception {
    nodes = new MonitoredNodes();
    faulty = WireMockFront.before(nodes.server());
  }

  @AfterEach
  void close() {
    faulty.stop();
    nodes.close();
  }

  @Test
  @DisplayName("B-8, NM-10, B-13 whatever the API server answers, the newest state arrives")
  void arrives() {
    Map<Trouble, NodePublisher> publishers = new EnumMap<>(Trouble.class);
    try (KubernetesClient client = WireMockFront.client(faulty)) {
      ApiServer api = ApiServer.of(client, Duration.ofSeconds(1));
      for (Trouble trouble : Trouble.values()) {
        publishers.put(trouble, begin(api, trouble));
      }
      publishers.forEach(this::assertArrives);
    } finally {
      publishers.values().forEach(NodePublisher::close);
    }
  }

  private NodePublisher begin(ApiServer api, Trouble trouble) {
    String node = trouble.name();
    nodes.node(node);
    once(node, "/api/v1/nodes/" + node + "/status", trouble);
    NodePublisher publisher =
        new NodePublisher(
            api,
            node,
            "boot-1",
            PublishSchedule.HEARTBEAT,
            time.clock(),
            new Random(1),
            time.loop(node));
    publisher.watching(List.of(ConditionSpec.of("A", "Well", "all is well")));
    publisher.start();
    publisher.conditionChanged(condition(ConditionStatus.TRUE));
    return publisher;
  }

  private void assertArrives(Trouble trouble, NodePublisher publisher) {
    String node = trouble.name();
    eventually(() -> publisher.failures() > 0);
    publisher.conditionChanged(condition(ConditionStatus.FALSE));
    eventually(() -> nodes.condition(node, "A").path("status").asText().equals("False"));
    eventually(() -> publisher.problem().isEmpty());
    assertThat(nodes.annotation(node, Ownership.ANNOTATION))
        .isEqualTo("{\"boot\":\"boot-1\",\"types\":[\"A\"]}");
  }

  /** Advances the time until the condition holds. */
  private void eventually(BooleanSupplier is) {
    for (int step = 0; step < 1200 && !is.getAsBoolean(); step++) {
      time.advance(Duration.ofMillis(100));
    }
    assertThat(is.getAsBoolean()).isTrue();
  }

  private void once(String scenario, String path, Trouble trouble) {
    faulty.stubFor(
        patch(urlPathMatching(path))
            .atPriority(1)
            .inScenario(scenario)
            .whenScenarioStateIs(Scenario.STARTED)
            .willSetStateTo("over")
            .willReturn(answer(trouble)));
  }

  private static Condition condition(ConditionStatus status) {
    return new Condition("A", status, SINCE, SINCE, "Reason", "message", List.of());
  }
}
