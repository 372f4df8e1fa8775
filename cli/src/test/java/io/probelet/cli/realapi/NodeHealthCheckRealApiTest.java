package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Issue 5: the definition of NodeHealthChecks, its defaults and its rules. */
@Tag("real-api")
@Timeout(300)
class NodeHealthCheckRealApiTest {
  private static final String NAME = "probelet-definition-test";

  @TempDir Path directory;
  private RealApi api;
  private KubernetesClient client;

  @BeforeEach
  void open() throws Exception {
    api = RealApi.open(directory);
    client = api.client();
    api.define(
        "deploy/crds/nodehealthchecks.remediation.medik8s.io.yaml",
        "nodehealthchecks.remediation.medik8s.io");
  }

  @AfterEach
  void close() {
    if (client != null) {
      client.resource(check(Map.of())).delete();
      api.close();
    }
  }

  @Test
  @DisplayName("NHC-1 missing fields get medik8s' defaults")
  void defaults() {
    GenericKubernetesResource created =
        client
            .resource(check(Map.of("remediationTemplate", template(), "minHealthy", "51%")))
            .create();
    assertThat(created.<List<Object>>get("spec", "unhealthyConditions")).hasSize(2);
  }

  @Test
  @DisplayName("NHC-4, NHC-5 rules hold without the webhook")
  void refused() {
    api.assumeSince(RealApi.RULES);
    assertThatThrownBy(() -> client.resource(check(Map.of())).create())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("emediation");
    assertThatThrownBy(() ->
            client
                .resource(
                    check(
                        Map.of(
                            "remediationTemplate",
                            template(),
                            "minHealthy",
                            "51%",
                            "maxUnhealthy",
                            1)))
                .create())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("exactly one of minHealthy and maxUnhealthy");
    assertThatThrownBy(() ->
            client
                .resource(check(Map.of("minHealthy", 1, "escalatingRemediations", steps("59s"))))
                .create())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("timeout must be 60s or more");
  }

  @Test
  @DisplayName("NHC-21 a running remediation's sources cannot change, also without the webhook")
  void frozen() {
    api.assumeSince(RealApi.RULES);
    client
        .resource(check(Map.of("minHealthy", 1, "escalatingRemediations", steps("60s"))))
        .create();
    client
        .resource(check(Map.of()))
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            """
            {"status": {"unhealthyNodes": [{"name": "n", "remediations": [
              {"started": "2026-11-21T00:00:00Z", "resource": {"kind": "A", "name": "n"}}]}]}}
            """);
    assertThatThrownBy(() -> change("{\"selector\": {\"matchLabels\": {\"other\": \"x\"}}}"))
        .hasMessageContaining("prohibited due to running remediation");
    change("{\"pauseRequests\": [\"for a while\"]}");
  }

  @Test
  @DisplayName(
      "NHC-21 a running remediation's NodeHealthCheck cannot be deleted, also without the webhook")
  void keptWhileRemediating() throws Exception {
    api.assumeSince(RealApi.POLICIES);
    api.apply("deploy/admission-policy-remediation.yaml");
    try {
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> {
            create();
            status(
                "[{name: n, remediations: [{started: '2026-11-21T00:00:00Z',"
                    + " resource: {kind: A, name: n}}]}]");
            assertThatThrownBy(() -> client.resource(check(Map.of())).delete())
                .hasMessageContaining("deletion prohibited due to running remediation");
          });
      status("[{name: n, remediations: []}, {name: other}]");
      client.resource(check(Map.of())).delete();
      assertThat(client.resource(check(Map.of())).get()).isNull();
      create();
      client.resource(check(Map.of())).delete();
      assertThat(client.resource(check(Map.of())).get()).as("without a status").isNull();
    } finally {
      try (var file =
          Files.newInputStream(Path.of("../deploy/admission-policy-remediation.yaml"))) {
        client.load(file).delete();
      }
    }
  }

  private void create() {
    client
        .resource(check(Map.of("minHealthy", 1, "escalatingRemediations", steps("60s"))))
        .createOr(NonDeletingOperation::update);
  }

  private void status(String unhealthyNodes) {
    client
        .resource(check(Map.of()))
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "status: {unhealthyNodes: " + unhealthyNodes + "}");
  }

  private void change(String spec) {
    client
        .resource(check(Map.of()))
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": " + spec + "}");
  }

  private static List<Map<String, Object>> steps(String timeout) {
    return List.of(Map.of("remediationTemplate", template(), "order", 1, "timeout", timeout));
  }

  private static Map<String, Object> template() {
    return Map.of(
        "apiVersion", "example.org/v1",
        "kind", "ExampleRemediationTemplate",
        "name", "example",
        "namespace", "default");
  }

  private static GenericKubernetesResource check(Map<String, Object> fields) {
    Map<String, Object> spec = new HashMap<>(fields);
    spec.put("selector", Map.of("matchLabels", Map.of("probelet.io/no-node-has-this", "true")));
    return new GenericKubernetesResourceBuilder()
        .withApiVersion("remediation.medik8s.io/v1alpha1")
        .withKind("NodeHealthCheck")
        .withNewMetadata()
        .withName(NAME)
        .endMetadata()
        .addToAdditionalProperties("spec", spec)
        .build();
  }
}
