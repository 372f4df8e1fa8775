package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import io.probelet.checks.HealthChecks;
import io.probelet.checks.error.ErrorCode;
import io.probelet.checks.result.CheckResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a CRD with metav1.Condition's schema makes of the health-check library's writes. */
@Tag("real-api")
@Timeout(300)
class HealthChecksRealApiTest {
  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: stalls.health-checks.example}
      spec:
        group: health-checks.example
        scope: Namespaced
        names: {kind: Stall, plural: stalls, singular: stall, listKind: StallList}
        versions:
        - name: v1
          served: true
          storage: true
          subresources: {status: {}}
          schema:
            openAPIV3Schema:
              type: object
              properties:
                status:
                  type: object
                  properties:
                    url: {type: string}
                    conditions:
                      type: array
                      x-kubernetes-list-type: map
                      x-kubernetes-list-map-keys: [type]
                      items:
                        type: object
                        required: [type, status, lastTransitionTime, reason, message]
                        properties:
                          type: {type: string}
                          status: {type: string, enum: ["True", "False", Unknown]}
                          lastTransitionTime: {type: string, format: date-time}
                          reason: {type: string, minLength: 1, maxLength: 1024}
                          message: {type: string, maxLength: 32768}
      """;
  private static final ResourceDefinitionContext STALLS =
      new ResourceDefinitionContext.Builder()
          .withGroup("health-checks.example")
          .withVersion("v1")
          .withKind("Stall")
          .withPlural("stalls")
          .withNamespaced(true)
          .build();
  private static final Map<String, Object> FOREIGN =
      Map.of(
          "type", "Paid",
          "status", "True",
          "reason", "Bank",
          "message", "It is.",
          "lastTransitionTime", "2026-01-01T00:00:00Z");

  @Group("health-checks.example")
  @Version("v1")
  @Kind("Stall")
  @Plural("stalls")
  static class Stall extends CustomResource<Void, Void> implements Namespaced {}

  @TempDir Path directory;
  private final AtomicInteger rounds = new AtomicInteger();
  private RealApi api;
  private KubernetesClient client;

  @BeforeEach
  void open() throws Exception {
    api = RealApi.open(directory);
    client = api.client();
    CustomResourceDefinition definition =
        Serialization.unmarshal(DEFINITION, CustomResourceDefinition.class);
    client.resource(definition).serverSideApply();
    client
        .resource(definition)
        .waitUntilCondition(
            found ->
                found.getStatus() != null
                    && found.getStatus().getConditions().stream()
                        .anyMatch(
                            c -> c.getType().equals("Established") && c.getStatus().equals("True")),
            2,
            TimeUnit.MINUTES);
  }

  @AfterEach
  void close() throws Exception {
    if (client != null) {
      client
          .apiextensions()
          .v1()
          .customResourceDefinitions()
          .withName("stalls.health-checks.example")
          .delete();
    }
    if (api != null) {
      api.close();
    }
  }

  @Test
  @DisplayName("CH-2 CH-52 CH-53 keeps the conditions of others, within the schema's limits")
  void conditions() throws Exception {
    GenericKubernetesResource stall = new GenericKubernetesResource();
    stall.setApiVersion("health-checks.example/v1");
    stall.setKind("Stall");
    stall.setMetadata(new ObjectMetaBuilder().withNamespace("default").withName("books").build());
    client.resource(stall).create();
    stall.setAdditionalProperty(
        "status", Map.of("url", "http://x", "conditions", List.of(FOREIGN)));
    await().until(() -> stall().get() != null);
    GenericKubernetesResource created = stall().get();
    created.setAdditionalProperty("status", stall.getAdditionalProperties().get("status"));
    client.resource(created).updateStatus();

    try (var _ =
        HealthChecks.of(Stall.class)
            .check("RolledOut", run -> CheckResult.progressing("it rolls out", Duration.ofHours(1)))
            .check(
                "Dry",
                run -> {
                  rounds.incrementAndGet();
                  return CheckResult.unhealthy("it rains", ErrorCode.ERR_CONFIGURATION_PROBLEM);
                })
            .every(Duration.ofSeconds(1))
            .start(client)) {
      await().atMost(Duration.ofMinutes(1)).until(() -> conditionList().size() == 3);
      assertThat(conditionList().getFirst()).isEqualTo(FOREIGN);
      assertThat(conditionList().get(1))
          .containsEntry("status", "Unknown")
          .containsEntry("reason", "HealthCheckProgressing");
      assertThat(conditionList().get(2))
          .containsEntry("status", "False")
          .doesNotContainKey("codes");
      assertThat(stall().get().<String>get("status", "url")).isEqualTo("http://x");

      String version = stall().get().getMetadata().getResourceVersion();
      int before = rounds.get();
      await().atMost(Duration.ofMinutes(1)).until(() -> rounds.get() > before + 3);
      assertThat(stall().get().getMetadata().getResourceVersion()).isEqualTo(version);
    }
  }

  private Resource<GenericKubernetesResource> stall() {
    return client.genericKubernetesResources(STALLS).inNamespace("default").withName("books");
  }

  private List<Map<String, Object>> conditionList() {
    List<Map<String, Object>> conditions = stall().get().get("status", "conditions");
    return conditions == null ? List.of() : conditions;
  }
}
