package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.probelet.cluster.care.CareListener;
import io.probelet.cluster.care.ClusterCare;
import io.probelet.cluster.care.NamedChecks;
import io.probelet.cluster.webhook.WebhookChange;
import io.probelet.health.Condition;
import io.probelet.health.SystemClock;
import io.probelet.kube.access.ClusterAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Issue 7, acceptance 4, and what the API server does with a ClusterHealth. */
@Tag("real-api")
@Timeout(300)
class ClusterCareRealApiTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NAMESPACE = "probelet-care-" + Long.toHexString(System.nanoTime());
  private static final String LOCKOUT = "images.policy.example";
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  @TempDir Path directory;
  private RealApi api;
  private KubernetesClient client;

  @BeforeEach
  void open() throws Exception {
    api = RealApi.open(directory);
    client = api.client();
    api.define("deploy/crds/clusterhealths.probelet.io.yaml", "clusterhealths.probelet.io");
    Assumptions.assumeTrue(resource().get() == null, "this cluster has a ClusterHealth already");
    client
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build())
        .serverSideApply();
  }

  @AfterEach
  void close() {
    if (client != null) {
      resource().delete();
      client.namespaces().withName(NAMESPACE).delete();
      api.close();
    }
  }

  @Test
  @DisplayName("CH-25 accepts only the name cluster, and only fields of the schema")
  void refused() {
    if (api.isSince(RealApi.RULES)) {
      assertThatThrownBy(() -> client.resource(wish("mine", Map.of())).create())
          .isInstanceOf(KubernetesClientException.class)
          .hasMessageContaining("only the ClusterHealth named");
    }
    assertThatThrownBy(
            () -> client.resource(wish("cluster", Map.of("webhookRemediation", "Maybe"))).create())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("webhookRemediation");
    GenericKubernetesResource created = client.resource(wish("cluster", Map.of())).create();
    assertThat(created.<String>get("spec", "webhookRemediation")).isEqualTo("Disabled");
  }

  @Test
  @DisplayName(
      "Issue 7, acceptance 4: a Deployment that cannot become available drives the condition True,"
          + " Progressing, False over its threshold, and back to True; the label follows")
  void acceptance() throws Exception {
    Map<String, Object> spec =
        Map.of(
            "syncPeriod", "1s",
            "thresholds", Map.of("SystemComponentsHealthy", "5s"),
            "components",
                List.of(
                    Map.of(
                        "conditionType",
                        "SystemComponentsHealthy",
                        "namespaces",
                        List.of(NAMESPACE))));
    client.resource(wish("cluster", spec)).create();
    scale(0);
    ClusterCare care =
        ClusterCare.start(
            client,
            NamedChecks.DEFAULTS,
            SystemClock.INSTANCE,
            new Random(1),
            new Unheard(),
            () -> true);
    try (care) {
      awaitStatus("True", "healthy");
      theirs();
      assertThat(managers()).contains("probelet Apply status");
      scale(1);
      awaitStatus("Progressing", "progressing");
      awaitStatus("False", "unhealthy");
      scale(0);
      awaitStatus("True", "healthy");
      assertThat(condition("Theirs").path("message").asText()).isEqualTo("not yours");
      client
          .resource(wish("cluster", Map.of("syncPeriod", "1s", "components", List.of())))
          .forceConflicts()
          .serverSideApply();
      await().atMost(TIMEOUT).until(() -> condition("SystemComponentsHealthy").isMissingNode());
      assertThat(condition("Theirs").path("status").asText()).isEqualTo("True");
    }
  }

  @Test
  @DisplayName("CH-25 continues after a restart of the API server and sees later changes")
  void startedAnew() throws Exception {
    Assumptions.assumeTrue(api.isOurs(), "only a server of our own is ended");
    try (ClusterAccess access = new ClusterAccess(api.kubeconfig(), SystemClock.INSTANCE);
        ClusterCare _ =
            ClusterCare.start(
                access.client(),
                NamedChecks.DEFAULTS,
                SystemClock.INSTANCE,
                new Random(1),
                new Unheard(),
                () -> true)) {
      client.resource(wish("cluster", Map.of("syncPeriod", "1s"))).create();
      await().atMost(TIMEOUT).until(() -> !condition("APIServerAvailable").isMissingNode());
      resource().delete();
      api.stopServer();
      api.forgetHistory(); // what a watch last saw is too old for the new server
      api.startServer();
      client.resource(wish("cluster", Map.of("syncPeriod", "1h"))).create();
      await()
          .atMost(Duration.ofSeconds(50)) // sooner than care asks without having been told
          .ignoreExceptions()
          .until(() -> !condition("APIServerAvailable").isMissingNode());
    }
  }

  @Test
  @DisplayName("CH-29 respects a script that sets only Processing, and does not overwrite it")
  void script() throws Exception {
    client
        .resource(
            wish(
                "cluster",
                Map.of(
                    "syncPeriod",
                    "1s",
                    "components",
                    List.of(
                        Map.of(
                            "conditionType",
                            "SystemComponentsHealthy",
                            "namespaces",
                            List.of(NAMESPACE))))))
        .create();
    scale(0);
    ClusterCare care =
        ClusterCare.start(
            client,
            NamedChecks.DEFAULTS,
            SystemClock.INSTANCE,
            new Random(1),
            new Unheard(),
            () -> true);
    try (care) {
      awaitStatus("True", "healthy");
      resource()
          .subresource("status")
          .patch(
              PatchContext.of(PatchType.JSON_MERGE),
              "{\"status\":{\"lastOperation\":{\"state\":\"Processing\"}}}");
      scale(1);
      awaitStatus("Progressing", "progressing");
      JsonNode operation = JSON.valueToTree(resource().get().get("status", "lastOperation"));
      assertThat(operation.path("state").asText()).isEqualTo("Processing");
      assertThat(operation.path("type").asText()).isEqualTo("Reconcile");
    }
  }

  @Test
  @DisplayName("CH-34 a webhook without a server blocks Pods until it is remediated")
  void webhooks() throws Exception {
    client // what a server older than 1.21 does not do by itself
        .namespaces()
        .withName("kube-system")
        .edit(old ->
            new NamespaceBuilder(old)
                .editMetadata()
                .addToLabels("kubernetes.io/metadata.name", "kube-system")
                .endMetadata()
                .build());
    client.resource(lockout()).create();
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() ->
            assertThatThrownBy(this::admitPod)
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(LOCKOUT));
    client
        .resource(wish("cluster", Map.of("syncPeriod", "1s", "webhookRemediation", "Enabled")))
        .create();
    ClusterCare care =
        ClusterCare.start(
            client,
            NamedChecks.DEFAULTS,
            SystemClock.INSTANCE,
            new Random(1),
            new Unheard(),
            () -> true);
    try (care) {
      await().atMost(TIMEOUT).ignoreExceptions().untilAsserted(this::admitPod);
      ValidatingWebhookConfiguration remediated = webhook().get();
      assertThat(remediated.getMetadata().getAnnotations())
          .containsKey("remediation.webhook.probelet.io/changes");
      await()
          .atMost(TIMEOUT)
          .until(() ->
              condition("constraints", "HibernationPossible")
                  .path("reason")
                  .asText()
                  .equals("RemediatedWebhooks"));
      assertThat(webhook().get().getWebhooks()).isEqualTo(remediated.getWebhooks());
    } finally {
      webhook().delete();
    }
  }

  /** Nothing is kept: the API server is only asked whether it would take a Pod. */
  private void admitPod() {
    client
        .pods()
        .inNamespace("kube-system")
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withName("probelet-admitted")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("c")
                .withImage("probelet.invalid/none:none")
                .endContainer()
                .endSpec()
                .build())
        .dryRun()
        .create();
  }

  private Resource<ValidatingWebhookConfiguration> webhook() {
    return client
        .admissionRegistration()
        .v1()
        .validatingWebhookConfigurations()
        .withName("probelet-lockout-test");
  }

  /** The example, under a name that no cluster has. */
  private ValidatingWebhookConfiguration lockout() throws IOException {
    try (var example =
        Files.newInputStream(Path.of("..", "examples", "webhooks", "bad-all-pods-fail.yaml"))) {
      return new ValidatingWebhookConfigurationBuilder(
              client.resources(ValidatingWebhookConfiguration.class).load(example).item())
          .editMetadata()
          .withName("probelet-lockout-test")
          .endMetadata()
          .build();
    }
  }

  private List<String> managers() {
    return resource().get().getMetadata().getManagedFields().stream()
        .map(entry ->
            entry.getManager()
                + " "
                + entry.getOperation()
                + (entry.getFieldsV1().toString().contains("f:status") ? " status" : ""))
        .toList();
  }

  /** Somebody else's condition, written beside ours. */
  private void theirs() {
    resource()
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON),
            """
            [{"op": "add", "path": "/status/conditions/-",
              "value": {"type": "Theirs", "status": "True", "message": "not yours"}}]
            """);
  }

  /** A Deployment of none is available; one whose image nobody has never is. */
  private void scale(int replicas) {
    Deployment deployment =
        client
            .resource(
                new DeploymentBuilder()
                    .withNewMetadata()
                    .withNamespace(NAMESPACE)
                    .withName("component")
                    .endMetadata()
                    .withNewSpec()
                    .withReplicas(replicas)
                    .withNewSelector()
                    .addToMatchLabels("app", "component")
                    .endSelector()
                    .withNewTemplate()
                    .withNewMetadata()
                    .addToLabels("app", "component")
                    .endMetadata()
                    .withNewSpec()
                    .addNewContainer()
                    .withName("c")
                    .withImage("probelet.invalid/none:none")
                    .endContainer()
                    .endSpec()
                    .endTemplate()
                    .endSpec()
                    .build())
            .serverSideApply();
    if (api.isOurs()) {
      client
          .apps()
          .deployments()
          .inNamespace(NAMESPACE)
          .withName("component")
          .editStatus(old -> {
            old.setStatus(
                new DeploymentStatusBuilder()
                    .withObservedGeneration(deployment.getMetadata().getGeneration())
                    .withReplicas(replicas)
                    .addNewCondition()
                    .withType("Available")
                    .withStatus(replicas == 0 ? "True" : "False")
                    .withReason("Test")
                    .endCondition()
                    .build());
            return old;
          });
    }
  }

  private void awaitStatus(String status, String label) {
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> {
          assertThat(condition("SystemComponentsHealthy").path("status").asText())
              .isEqualTo(status);
          // A cluster with nodes and webhooks of its own may be worse than this condition.
          if (api.isOurs()) {
            assertThat(resource().get().getMetadata().getLabels())
                .containsEntry("probelet.io/status", label);
          }
        });
  }

  private JsonNode condition(String type) {
    return condition("conditions", type);
  }

  private JsonNode condition(String list, String type) {
    JsonNode status = JSON.valueToTree(resource().get().get("status"));
    for (JsonNode condition : status.path(list)) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    return JSON.missingNode();
  }

  private Resource<GenericKubernetesResource> resource() {
    return client.genericKubernetesResources(ClusterCare.KIND).withName("cluster");
  }

  private static GenericKubernetesResource wish(String name, Map<String, Object> spec) {
    return new GenericKubernetesResourceBuilder()
        .withApiVersion("probelet.io/v1alpha1")
        .withKind("ClusterHealth")
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .addToAdditionalProperties("spec", spec)
        .build();
  }

  /** Nobody listens. */
  private static final class Unheard implements CareListener {
    @Override
    public void roundEnded(List<Condition> conditions, List<Condition> constraints) {}

    @Override
    public void webhooksRemediated(
        String configuration, List<WebhookChange> changes, boolean dryRun) {}
  }
}
