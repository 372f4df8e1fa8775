package io.probelet.nodehealth.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.probelet.health.SystemClock;
import io.probelet.nodehealth.controller.NodeRemediation;
import io.probelet.nodehealth.controller.RemediationListener;
import io.probelet.nodehealth.controller.RemediationSettings;
import io.probelet.nodehealth.election.Timing;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What only a real API server can tell; run where there is one. */
@Tag("real-api")
@EnabledIf("io.probelet.nodehealth.real.RealApi#isThere")
class RealApiTest {
  private static final String GROUP = "example.probelet.io/v1";
  private static final String FIRST = "ExampleRebootRemediation";
  private static final String SECOND = "ExampleReplaceRemediation";

  private static RealApi api;
  private static KubernetesClient client;

  @BeforeAll
  static void open() throws Exception {
    api = RealApi.open();
    client = api.client();
    apply("../deploy/crds/nodehealthchecks.remediation.medik8s.io.yaml");
    apply("../examples/remediator/remediator.yaml");
    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptions()
        .until(() -> remediations(FIRST).isEmpty() && remediations(SECOND).isEmpty());
  }

  @AfterAll
  static void close() {
    if (api != null) {
      api.close();
    }
  }

  @Test
  @DisplayName("NHC-1 NHC-4 the CRD is accepted, its defaults are applied and its rules hold")
  void customResourceDefinition() {
    GenericKubernetesResource made = client.resource(check("good", "minHealthy: 1")).create();
    assertThat(made.<List<Object>>get("spec", "unhealthyConditions")).hasSize(2);
    client.resource(made).delete();
    assertThatThrownBy(
            () -> client.resource(check("bad", "minHealthy: 1\n  maxUnhealthy: 1")).create())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("exactly one of minHealthy and maxUnhealthy");
  }

  @Test
  @DisplayName("Issue 5 acceptance 3: Unknown, remediation, failed, next, Ready, both gone")
  void escalation() throws Exception {
    apply("../deploy/remediation.yaml", "Namespace");
    apply("../examples/remediator/nhc.yaml");
    client.nodes().resource(node()).create();
    client.nodes().resource(node()).updateStatus();
    RemediationSettings settings =
        new RemediationSettings(
            "test", "default", RemediationSettings.LEASE_NAMESPACE, Timing.DEFAULT);
    try (NodeRemediation _ =
        NodeRemediation.start(
            client, settings, SystemClock.INSTANCE, RemediationListener.NONE, _ -> {})) {
      ready("Unknown");
      eventually(() -> remediations(FIRST).size() == 1);
      remediation(FIRST)
          .editStatus(resource -> {
            resource.setAdditionalProperty(
                "status",
                Map.of("conditions", List.of(Map.of("type", "Succeeded", "status", "False"))));
            return resource;
          });
      eventually(() -> remediations(SECOND).size() == 1);
      ready("True");
      eventually(() -> remediations(FIRST).isEmpty() && remediations(SECOND).isEmpty());
    } finally {
      client.nodes().withName("real-n1").delete();
    }
  }

  private static void eventually(Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(60)).until(condition);
  }

  private static void ready(String status) {
    client
        .nodes()
        .withName("real-n1")
        .editStatus(old ->
            new NodeBuilder(old)
                .editOrNewStatus()
                .withConditions()
                .addNewCondition()
                .withType("Ready")
                .withStatus(status)
                .withLastTransitionTime(
                    Instant.now()
                        .minus(Duration.ofMinutes(5))
                        .truncatedTo(ChronoUnit.SECONDS)
                        .toString())
                .endCondition()
                .endStatus()
                .build());
  }

  private static Node node() {
    return new NodeBuilder().withNewMetadata().withName("real-n1").endMetadata().build();
  }

  private static GenericKubernetesResource check(String name, String floor) {
    return client
        .getKubernetesSerialization()
        .unmarshal(
            """
            apiVersion: remediation.medik8s.io/v1alpha1
            kind: NodeHealthCheck
            metadata: {name: %s}
            spec:
              selector: {matchLabels: {a: b}}
              %s
              remediationTemplate: {apiVersion: e/v1, kind: ATemplate, namespace: n, name: a}
            """
                .formatted(name, floor),
            GenericKubernetesResource.class);
  }

  private static List<GenericKubernetesResource> remediations(String kind) {
    return client.genericKubernetesResources(GROUP, kind).inNamespace("default").list().getItems();
  }

  private static Resource<GenericKubernetesResource> remediation(String kind) {
    return client
        .genericKubernetesResources(GROUP, kind)
        .inNamespace("default")
        .withName("real-n1");
  }

  private static void apply(String file, String... kinds) throws IOException {
    try (InputStream yaml = new FileInputStream(file)) {
      client
          .load(yaml)
          .items()
          .forEach(item -> {
            if (kinds.length == 0 || List.of(kinds).contains(item.getKind())) {
              client.resource(item).serverSideApply();
            }
          });
    }
  }
}
