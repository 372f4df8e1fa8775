package io.probelet.checks.object;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.APIService;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.probelet.checks.error.ErrorCode;
import io.probelet.checks.result.CheckResult;
import io.probelet.checks.result.CheckResult.Healthy;
import io.probelet.checks.result.CheckResult.Unhealthy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CC-6: each row of section 3 with its first failing field, read as a model and generically. */
class ObjectHealthTest {

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES, JsonReadFeature.ALLOW_SINGLE_QUOTES)
          .build();
  private static final String TRUE_AVAILABLE = "{type: 'Available', status: 'True'}";

  @ParameterizedTest
  @DisplayName("CH-11 CC-6 Deployment")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{observedGeneration: 4, conditions: [@A, {type: 'Progressing', status: 'True'}]} |",
        "{observedGeneration: 4, conditions: [@A]} |",
        "{observedGeneration: 5, conditions: [@A, {type: 'ReplicaFailure', status: 'False'}]} |",
        "{observedGeneration: 3} | observed generation outdated (3/4)",
        "{} | observed generation outdated (0/4)",
        "{observedGeneration: 4} | condition \"Available\" is missing",
        "{observedGeneration: 4, conditions: [{type: 'Available', status: 'False',"
            + " reason: 'MinimumReplicasUnavailable', message: 'too few'}]}"
            + " | condition \"Available\" has invalid status False (expected True)"
            + " due to MinimumReplicasUnavailable: too few",
        "{observedGeneration: 4, conditions: [@A, {type: 'Progressing', status: 'False',"
            + " reason: 'Deadline', message: 'late'}]}"
            + " | condition \"Progressing\" has invalid status False (expected True)"
            + " due to Deadline: late",
        "{observedGeneration: 4, conditions: [@A, {type: 'ReplicaFailure', status: 'True',"
            + " reason: 'Quota', message: 'no more'}]}"
            + " | condition \"ReplicaFailure\" has invalid status True (expected False)"
            + " due to Quota: no more",
      })
  void deployment(String status, @Nullable String message) {
    assertSays(
        Deployment.class,
        "{apiVersion: 'apps/v1', kind: 'Deployment', metadata: {generation: 4}, status: "
            + status.replace("@A", TRUE_AVAILABLE)
            + "}",
        message);
  }

  @ParameterizedTest
  @DisplayName("CH-12 CC-6 DaemonSet: generation, scheduled, misscheduled, unavailable")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1 | 3 3 0 0 3 | '1' |",
        "1 | 0 0 0 0 0 | '1' |",
        "0 | 3 3 0 0 3 | '1' | observed generation outdated (0/1)",
        "1 | 3 2 1 0 3 | '1' | not enough scheduled pods (2/3)",
        "1 | 3 3 1 0 3 | '1' | misscheduled pods found (1)",
        "1 | 3 3 0 1 3 | 2   | too many unavailable pods found (1/3)",
        "1 | 3 3 0 2 2 | 2   |",
        "1 | 3 3 0 2 2 | 1   | too many unavailable pods found (2/3, only max. 1 unavailable pods"
            + " allowed)",
        "1 | 9 9 0 2 2 | '25%' |",
        "1 | 5 5 0 1 2 | '10%' | too many unavailable pods found (1/5, only max. 0 unavailable"
            + " pods allowed)",
        "1 | 3 3 0 1 2 | 'many' | too many unavailable pods found (1/3, only max. 0 unavailable"
            + " pods allowed)",
      })
  void daemonSet(int observed, String figures, String max, @Nullable String message) {
    String[] n = figures.split(" ", -1);
    assertSays(
        DaemonSet.class,
        """
        {apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: {generation: 1},
         spec: {updateStrategy: {type: 'RollingUpdate', rollingUpdate: {maxUnavailable: %s}}},
         status: {observedGeneration: %d, desiredNumberScheduled: %s, currentNumberScheduled: %s,
           numberMisscheduled: %s, numberUnavailable: %s, updatedNumberScheduled: %s}}\
        """
            .formatted(max, observed, n[0], n[1], n[2], n[3], n[4]),
        message);
  }

  @Test
  @DisplayName("CH-12 a DaemonSet that is updated by hand may have no pod away")
  void daemonSetOnDelete() {
    assertSays(
        DaemonSet.class,
        """
        {apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: {},
         spec: {updateStrategy: {type: 'OnDelete', rollingUpdate: {maxUnavailable: 2}}},
         status: {desiredNumberScheduled: 3, currentNumberScheduled: 3, numberUnavailable: 1}}\
        """,
        "too many unavailable pods found (1/3, only max. 0 unavailable pods allowed)");
  }

  @ParameterizedTest
  @DisplayName("CH-13 CH-14 CC-6 StatefulSet and ReplicaSet: generation, ready replicas")
  @CsvSource({
    "StatefulSet, 3,    2, 3,",
    "StatefulSet, 0,    2, 0,",
    "StatefulSet, 3,    1, 3, observed generation outdated (1/2)",
    "StatefulSet, 3,    2, 1, not enough ready replicas (1/3)",
    "StatefulSet, null, 2, 0, not enough ready replicas (0/1)",
    "ReplicaSet,  3,    2, 3,",
    "ReplicaSet,  3,    1, 3, observed generation outdated (1/2)",
    "ReplicaSet,  3,    2, 1, not enough ready replicas (1/3)",
    "ReplicaSet,  null, 2, 0,",
  })
  void replicas(String kind, String replicas, int observed, int ready, @Nullable String message) {
    assertSays(
        kind.equals("StatefulSet") ? StatefulSet.class : ReplicaSet.class,
        """
        {apiVersion: 'apps/v1', kind: '%s', metadata: {generation: 2}, spec: {replicas: %s},
         status: {observedGeneration: %d, readyReplicas: %d}}\
        """
            .formatted(kind, replicas, observed, ready),
        message);
  }

  @ParameterizedTest
  @DisplayName("CH-15 CC-6 Job: Failed absent or False")
  @CsvSource({
    "[],",
    "[{type: 'Failed'; status: 'False'}],",
    "[{type: 'Complete'; status: 'True'}],",
    "[{type: 'Failed'; status: 'True'; reason: 'BackoffLimitExceeded'; message: 'gave up'}],"
        + "condition \"Failed\" has invalid status True (expected False) due to"
        + " BackoffLimitExceeded: gave up",
  })
  void job(String conditions, @Nullable String message) {
    assertSays(Job.class, withConditions("batch/v1", "Job", conditions), message);
  }

  @ParameterizedTest
  @DisplayName("CH-16 CC-6 Node: Ready, then each pressure")
  @CsvSource({
    "[@],",
    "[@; {type: 'DiskPressure'; status: 'False'}],",
    "[], condition \"Ready\" is missing",
    "[{type: 'Ready'; status: 'Unknown'; reason: 'r'; message: 'm'}],"
        + "condition \"Ready\" has invalid status Unknown (expected True) due to r: m",
    "[@; {type: 'DiskPressure'; status: 'True'; reason: 'r'; message: 'm'}],"
        + "condition \"DiskPressure\" has invalid status True (expected False) due to r: m",
    "[@; {type: 'MemoryPressure'; status: 'True'; reason: 'r'; message: 'm'}],"
        + "condition \"MemoryPressure\" has invalid status True (expected False) due to r: m",
    "[@; {type: 'NetworkUnavailable'; status: 'True'; reason: 'r'; message: 'm'}],"
        + "condition \"NetworkUnavailable\" has invalid status True (expected False) due to r: m",
    "[@; {type: 'PIDPressure'; status: 'Unknown'; reason: 'r'; message: 'm'}],"
        + "condition \"PIDPressure\" has invalid status Unknown (expected False) due to r: m",
    "[@; {type: 'SystemdUnitsReady'; status: 'True'}],",
    "[@; {type: 'SystemdUnitsReady'; status: 'False'; reason: 'r'; message: 'm'}],"
        + "condition \"SystemdUnitsReady\" has invalid status False (expected True) due to r: m",
  })
  void node(String conditions, @Nullable String message) {
    assertSays(
        Node.class,
        withConditions("v1", "Node", conditions.replace("@", "{type: 'Ready'; status: 'True'}")),
        message);
  }

  @Test
  @DisplayName("CH-16 §6 a node too small for its load is a configuration problem")
  void nodeCode() {
    String json =
        withConditions(
            "v1",
            "Node",
            "[{type: 'Ready'; status: 'True'}; {type: 'MemoryPressure'; status: 'True';"
                + " reason: 'KubeletHasInsufficientMemory'; message: 'm'}]");

    assertThat(((Unhealthy) ObjectHealth.check(read(json, Node.class))).codes())
        .containsExactly(ErrorCode.ERR_CONFIGURATION_PROBLEM);
  }

  @ParameterizedTest
  @DisplayName("CH-17 CC-6 APIService: Available True")
  @CsvSource({
    "[{type: 'Available'; status: 'True'}],",
    "[], condition \"Available\" is missing",
    "[{type: 'Available'; status: 'False'; reason: 'MissingEndpoints'; message: 'none'}],"
        + "condition \"Available\" has invalid status False (expected True) due to"
        + " MissingEndpoints: none",
  })
  void apiService(String conditions, @Nullable String message) {
    assertSays(
        APIService.class,
        withConditions("apiregistration.k8s.io/v1", "APIService", conditions),
        message);
  }

  @ParameterizedTest
  @DisplayName("CH-18 CC-6 CRD: NamesAccepted, Established, not Terminating")
  @CsvSource({
    "[@N; @E],",
    "[@N; @E; {type: 'Terminating'; status: 'False'}],",
    "[@E], condition \"NamesAccepted\" is missing",
    "[@N], condition \"Established\" is missing",
    "[{type: 'NamesAccepted'; status: 'False'; reason: 'Conflict'; message: 'taken'}; @E],"
        + "condition \"NamesAccepted\" has invalid status False (expected True) due to Conflict:"
        + " taken",
    "[@N; @E; {type: 'Terminating'; status: 'True'; reason: 'r'; message: 'm'}],"
        + "condition \"Terminating\" has invalid status True (expected False) due to r: m",
  })
  void crd(String conditions, @Nullable String message) {
    assertSays(
        CustomResourceDefinition.class,
        withConditions(
            "apiextensions.k8s.io/v1",
            "CustomResourceDefinition",
            conditions
                .replace("@N", "{type: 'NamesAccepted'; status: 'True'}")
                .replace("@E", "{type: 'Established'; status: 'True'}")),
        message);
  }

  @ParameterizedTest
  @DisplayName("CH-19 CC-6 Pod: Running or Succeeded")
  @CsvSource(
      delimiter = '|',
      value = {
        "Running |",
        "Succeeded |",
        "Pending | pod is in invalid phase \"Pending\" (expected one of [\"Running\""
            + " \"Succeeded\"])",
        "Failed | pod is in invalid phase \"Failed\" (expected one of [\"Running\""
            + " \"Succeeded\"])",
      })
  void pod(String phase, @Nullable String message) {
    assertSays(
        Pod.class,
        "{apiVersion: 'v1', kind: 'Pod', metadata: {}, status: {phase: '" + phase + "'}}",
        message);
  }

  @ParameterizedTest
  @DisplayName("CH-20 CC-6 Service: a load balancer has an ingress")
  @CsvSource(
      delimiter = '|',
      value = {
        "LoadBalancer | {loadBalancer: {ingress: [{ip: \"192.0.2.1\"}]}} |",
        "ClusterIP | {} |",
        "ExternalName | {} |",
        "LoadBalancer | {} | service is missing ingress status",
        "LoadBalancer | {loadBalancer: {}} | service is missing ingress status",
      })
  void service(String type, String status, @Nullable String message) {
    assertSays(
        Service.class,
        "{apiVersion: 'v1', kind: 'Service', metadata: {}, spec: {type: '%s'}, status: %s}"
            .formatted(type, status),
        message);
  }

  @ParameterizedTest
  @DisplayName("CH-21 CC-6 ManagedResource: generation equal, applied, healthy")
  @CsvSource({
    "2, [@A; @H],",
    "1, [@A; @H], observed generation outdated (1/2)",
    "3, [@A; @H], observed generation outdated (3/2)",
    "2, [@H], condition \"ResourcesApplied\" is missing",
    "2, [@A], condition \"ResourcesHealthy\" is missing",
    "2, [@A; {type: 'ResourcesHealthy'; status: 'False'; reason: 'r'; message: 'm'}],"
        + "condition \"ResourcesHealthy\" has invalid status False (expected True) due to r: m",
  })
  void managedResource(int observed, String conditions, @Nullable String message) {
    GenericKubernetesResource resource =
        read(
            """
            {apiVersion: 'resources.gardener.cloud/v1alpha1', kind: 'ManagedResource',
             metadata: {generation: 2}, status: {observedGeneration: %d, conditions: %s}}\
            """
                .formatted(
                    observed,
                    conditions
                        .replace(';', ',')
                        .replace("@A", "{type: 'ResourcesApplied', status: 'True'}")
                        .replace("@H", "{type: 'ResourcesHealthy', status: 'True'}")),
            GenericKubernetesResource.class);

    assertThat(said(ObjectHealth.check(resource))).isEqualTo(message);
  }

  @ParameterizedTest
  @DisplayName("CH-16 CC-6 an object without any status has its first finding, not a crash")
  @CsvSource({
    "apps/v1, Deployment, condition \"Available\" is missing",
    "apps/v1, DaemonSet,",
    "apps/v1, StatefulSet, not enough ready replicas (0/1)",
    "apps/v1, ReplicaSet,",
    "batch/v1, Job,",
    "v1, Node, condition \"Ready\" is missing",
    "v1, Service,",
  })
  void noStatus(String apiVersion, String kind, @Nullable String message) {
    GenericKubernetesResource bare =
        read(
            "{apiVersion: '%s', kind: '%s', metadata: {}}".formatted(apiVersion, kind),
            GenericKubernetesResource.class);

    assertThat(said(ObjectHealth.check(bare))).isEqualTo(message);
  }

  @Test
  @DisplayName("CH-41 an object of a Kubernetes kind without a status is healthy by being there")
  void unknownKind() {
    assertSays(ConfigMap.class, "{apiVersion: 'v1', kind: 'ConfigMap', metadata: {}}", null);
  }

  private static void assertSays(
      Class<? extends HasMetadata> type, String json, @Nullable String message) {
    assertThat(said(ObjectHealth.check(read(json, type)))).as("typed").isEqualTo(message);
    assertThat(said(ObjectHealth.check(read(json, GenericKubernetesResource.class))))
        .as("generic")
        .isEqualTo(message);
  }

  private static String withConditions(String apiVersion, String kind, String conditions) {
    return "{apiVersion: '%s', kind: '%s', metadata: {}, status: {conditions: %s}}"
        .formatted(apiVersion, kind, conditions.replace(';', ','));
  }

  private static @Nullable String said(CheckResult result) {
    return switch (result) {
      case Healthy() -> null;
      case Unhealthy unhealthy -> unhealthy.detail();
      default -> throw new AssertionError(result);
    };
  }

  private static <T> T read(String json, Class<T> type) {
    try {
      return JSON.readValue(json, type);
    } catch (JsonProcessingException e) {
      throw new AssertionError(json, e);
    }
  }
}
