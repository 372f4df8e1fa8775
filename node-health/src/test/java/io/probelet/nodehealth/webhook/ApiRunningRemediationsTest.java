package io.probelet.nodehealth.webhook;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.tomakehurst.wiremock.WireMockServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.kube.WireMockFront;
import io.probelet.nodehealth.resource.RunningRemediations.Presence;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiRunningRemediationsTest {
  private final FakeApiServer server = new FakeApiServer();
  private final WireMockServer front = WireMockFront.before(server);
  private final KubernetesClient client = WireMockFront.client(front);

  ApiRunningRemediationsTest() throws IOException {}

  @AfterEach
  void close() {
    client.close();
    front.stop();
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "mine, Reboot, 200, SOME",
    "another, Reboot, 200, NONE",
    "mine, Unserved, 200, NONE",
    "mine, Reboot, 403, NONE",
    "mine, Reboot, 500, NO_ANSWER",
  })
  @DisplayName("R-20 remediations are looked for by their owner, in all namespaces")
  void looks(String owner, String kind, int code, Presence expected) throws IOException {
    server.serve("e/v1", "Reboot");
    server.put(
        """
        apiVersion: e/v1
        kind: Reboot
        metadata:
          name: r
          namespace: n
          labels: {app.kubernetes.io/part-of: node-healthcheck-controller}
          ownerReferences:
          - {apiVersion: remediation.medik8s.io/v1alpha1, kind: NodeHealthCheck, name: %s}
        """
            .formatted(owner));
    server.put( // without the label
        """
        apiVersion: e/v1
        kind: Reboot
        metadata:
          name: by-hand
          namespace: n
          ownerReferences:
          - {apiVersion: remediation.medik8s.io/v1alpha1, kind: NodeHealthCheck, name: mine}
        """);
    if (code != 200) {
      front.stubFor(
          get(urlPathEqualTo("/apis/e/v1/reboots"))
              .atPriority(1)
              .willReturn(aResponse().withStatus(code)));
    }
    JsonNode check =
        new ObjectMapper()
            .readTree(
                """
                {"metadata": {"name": "mine"}, "spec": {"escalatingRemediations": [
                  {"remediationTemplate": {"apiVersion": "no such/v1", "kind": "XTemplate"}},
                  {"remediationTemplate": {"apiVersion": "e/v1", "kind": "%sTemplate"}}]}}
                """
                    .formatted(kind));
    assertThat(new ApiRunningRemediations(ApiServer.of(client, Duration.ofSeconds(5))).of(check))
        .isEqualTo(expected);
  }

  @Test
  @DisplayName("R-20 more kinds than are asked for are no answer, not none")
  void tooManyKinds() {
    ObjectNode check = JsonNodeFactory.instance.objectNode();
    check.putObject("metadata").put("name", "mine");
    ArrayNode steps = check.putObject("spec").putArray("escalatingRemediations");
    for (int kind = 0; kind < 21; kind++) {
      steps
          .addObject()
          .putObject("remediationTemplate")
          .put("apiVersion", "e/v1")
          .put("kind", "Kind" + kind + "Template");
    }
    assertThat(new ApiRunningRemediations(ApiServer.of(client, Duration.ofSeconds(5))).of(check))
        .isEqualTo(Presence.NO_ANSWER);
  }
}
