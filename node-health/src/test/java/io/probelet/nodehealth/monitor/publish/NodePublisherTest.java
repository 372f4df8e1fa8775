package io.probelet.nodehealth.monitor.publish;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.SystemClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@EnableKubernetesMockClient
class NodePublisherTest {
  private static final String PATH = "/api/v1/nodes/n1";
  private static final Instant SINCE = Instant.parse("2026-11-21T12:00:00.123Z");

  KubernetesMockServer server;
  KubernetesClient client;

  private static Condition condition(String type, ConditionStatus status) {
    return new Condition(type, status, SINCE, SINCE, "Reason", "message %d {}", List.of());
  }

  private void node(String annotation) {
    Node node =
        new NodeBuilder()
            .withNewMetadata()
            .withName("n1")
            .addToAnnotations(Ownership.ANNOTATION, annotation)
            .endMetadata()
            .withNewStatus()
            .addNewCondition()
            .withType("Ready")
            .withStatus("True")
            .endCondition()
            .addNewCondition()
            .withType("LinkDown")
            .withStatus("True")
            .withReason("NoCarrier")
            .withMessage("eth0")
            .withLastTransitionTime("2026-11-21T11:00:00Z")
            .endCondition()
            .endStatus()
            .build();
    server.expect().get().withPath(PATH).andReturn(200, node).always();
    server.expect().patch().withPath(PATH).andReturn(200, node).always();
    server.expect().patch().withPath(PATH + "/status").andReturn(200, node).always();
  }

  /** The next patches, as path and body. */
  private List<JsonNode> patches(int count) throws Exception {
    List<JsonNode> patches = new ArrayList<>();
    while (patches.size() < count) {
      RecordedRequest request = server.takeRequest(15, TimeUnit.SECONDS);
      assertThat(request).as("patch %d", patches.size() + 1).isNotNull();
      if (request.getMethod().equals("PATCH")) {
        assertThat(request.getHeader("Content-Type"))
            .startsWith("application/strategic-merge-patch+json");
        patches.add(new ObjectMapper().readTree(request.getBody().readUtf8()));
      }
    }
    return patches;
  }

  private NodePublisher publisher(String bootId) {
    return new NodePublisher(client, "n1", bootId, SystemClock.INSTANCE);
  }

  @Test
  @DisplayName("B-6, B-8 our conditions are claimed, then written; the kubelet's are never touched")
  void claimedThenWritten() throws Exception {
    node("{}");
    try (NodePublisher publisher = publisher("boot-1")) {
      publisher.watching(Set.of("LinkDown", "Ready"));
      publisher.conditionChanged(condition("LinkDown", TRUE));
      publisher.conditionChanged(condition("Ready", FALSE));
      publisher.start();
      List<JsonNode> patches = patches(2);
      assertThat(patches.getFirst().at("/metadata/annotations").path(Ownership.ANNOTATION).asText())
          .isEqualTo("{\"boot\":\"boot-1\",\"types\":[\"LinkDown\"]}");
      JsonNode conditions = patches.getLast().at("/status/conditions");
      assertThat(conditions).hasSize(1);
      assertThat(conditions.get(0).path("type").asText()).isEqualTo("LinkDown");
      assertThat(conditions.get(0).path("status").asText()).isEqualTo("True");
      assertThat(conditions.get(0).path("message").asText()).isEqualTo("message %d {}");
      assertThat(conditions.get(0).path("lastTransitionTime").asText())
          .isEqualTo("2026-11-21T12:00:00Z");
    }
  }

  @Test
  @DisplayName("B-8 changes within a second are one patch; a claim that stands is not repeated")
  void coalesced() throws Exception {
    node("{\"boot\":\"boot-1\",\"types\":[\"A\",\"B\"]}");
    try (NodePublisher publisher = publisher("boot-1")) {
      publisher.watching(Set.of("A", "B"));
      publisher.start();
      publisher.conditionChanged(condition("A", TRUE));
      publisher.conditionChanged(condition("A", FALSE));
      publisher.conditionChanged(condition("B", TRUE));
      JsonNode conditions = patches(1).getFirst().at("/status/conditions");
      assertThat(conditions.findValuesAsText("type")).containsExactly("A", "B");
      assertThat(conditions.findValuesAsText("status")).containsExactly("False", "True");
      publisher.conditionChanged(condition("B", FALSE));
      assertThat(patches(1).getFirst().at("/status/conditions").findValuesAsText("status"))
          .containsExactly("False", "False");
    }
  }

  @Test
  @DisplayName(
      "B-4, B-6 what was ours and is not watched any more goes; what is not checked yet stays")
  void removed() throws Exception {
    node("{\"boot\":\"boot-0\",\"types\":[\"Old\",\"NotYet\"]}");
    try (NodePublisher publisher = publisher("boot-1")) {
      publisher.watching(Set.of("A", "NotYet"));
      publisher.conditionChanged(condition("A", FALSE));
      publisher.start();
      List<JsonNode> patches = patches(3);
      JsonNode conditions = patches.get(1).at("/status/conditions");
      assertThat(conditions.findValuesAsText("type")).containsExactly("A", "Old");
      assertThat(conditions.get(1).path("$patch").asText()).isEqualTo("delete");
      assertThat(patches.get(2).at("/metadata/annotations").path(Ownership.ANNOTATION).asText())
          .isEqualTo("{\"boot\":\"boot-1\",\"types\":[\"A\",\"NotYet\"]}");
    }
  }

  @Test
  @DisplayName("NM-8, B-4 what was published in this boot is adopted, what in another is not")
  void adoption() {
    node("{\"boot\":\"boot-1\",\"types\":[\"LinkDown\"]}");
    assertThat(publisher("boot-1").adoptable())
        .containsExactly(
            new Condition(
                "LinkDown",
                TRUE,
                Instant.parse("2026-11-21T11:00:00Z"),
                Instant.parse("2026-11-21T11:00:00Z"),
                "NoCarrier",
                "eth0",
                List.of()));
    assertThat(publisher("boot-2").adoptable()).isEmpty();
  }

  @Test
  @DisplayName("NM-10 while the API server refuses, changes wait; the last state arrives")
  void refused() throws Exception {
    server.expect().get().withPath(PATH).andReturn(403, "{}").times(2);
    node("{}");
    try (NodePublisher publisher = publisher("boot-1")) {
      publisher.watching(Set.of("A"));
      publisher.conditionChanged(condition("A", TRUE));
      publisher.start();
      await().until(() -> !publisher.problem().isEmpty());
      publisher.conditionChanged(condition("A", FALSE));
      publisher.conditionChanged(condition("A", TRUE));
      publisher.conditionChanged(condition("A", FALSE));
      List<JsonNode> patches = patches(2);
      assertThat(patches.getLast().at("/status/conditions").findValuesAsText("status"))
          .containsExactly("False");
      await().until(() -> publisher.problem().isEmpty());
      assertThat(publisher.failures()).isPositive();
    }
  }

  @Test
  @DisplayName("B-6 uninstall takes off what is ours and the claim, and nothing else")
  void uninstall() throws Exception {
    node("{\"boot\":\"boot-1\",\"types\":[\"LinkDown\"]}");
    assertThat(NodePublisher.uninstall(client, "n1")).containsExactly("LinkDown");
    List<JsonNode> patches = patches(2);
    assertThat(patches.getFirst())
        .hasToString(
            "{\"status\":{\"conditions\":[{\"$patch\":\"delete\",\"type\":\"LinkDown\"}]}}");
    assertThat(patches.getLast())
        .hasToString("{\"metadata\":{\"annotations\":{\"probelet.io/node-conditions\":null}}}");
  }
}
