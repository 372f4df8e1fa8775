package io.probelet.nodehealth.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.probelet.kube.ApiServer;
import io.probelet.nodehealth.resource.RunningRemediations.Presence;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@EnableKubernetesMockClient(https = false)
class ApiRunningRemediationsTest {
  private static final Map<String, Object> KINDS =
      Map.of("resources", List.of(Map.of("name", "reboots", "kind", "Reboot")));

  private KubernetesClient client;
  private KubernetesMockServer server;

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
    server.expect().get().withPath("/apis/e/v1").andReturn(200, KINDS).always();
    Map<String, Object> reference =
        Map.of(
            "apiVersion", "remediation.medik8s.io/v1alpha1",
            "kind", "NodeHealthCheck",
            "name", owner);
    server
        .expect()
        .get()
        .withPath(
            "/apis/e/v1/reboots?labelSelector=app.kubernetes.io%2Fpart-of%3Dnode-healthcheck-controller")
        .andReturn(
            code,
            Map.of(
                "items",
                List.of(Map.of("metadata", Map.of("ownerReferences", List.of(reference))))))
        .always();
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
}
