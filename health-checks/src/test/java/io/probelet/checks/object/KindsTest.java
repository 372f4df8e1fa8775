package io.probelet.checks.object;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ReplicationController;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.probelet.checks.error.ErrorCode;
import io.probelet.checks.result.CheckResult;
import io.probelet.checks.result.CheckResult.Unhealthy;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Objects are checked by what kind they are, whichever class they were read as. */
class KindsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** An author's own class of Gardener's kind. */
  @Group("resources.gardener.cloud")
  @Version("v1alpha1")
  static final class ManagedResource
      extends CustomResource<Map<String, Object>, Map<String, Object>> {
    private static final long serialVersionUID = 1;
  }

  @Test
  @DisplayName("CH-21 a ManagedResource that was read as a class of the author's is checked, too")
  void typedManagedResource() {
    ManagedResource object = new ManagedResource();
    object.getMetadata().setGeneration(2L);
    object.setStatus(Map.of("observedGeneration", 1));
    assertThat(ObjectHealth.check(object))
        .isEqualTo(CheckResult.unhealthy("observed generation outdated (1/2)"));
  }

  @ParameterizedTest
  @DisplayName("CH-40 CC-13 the rule for each kind that the client has no model of")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "v1/ReplicationController |{\"spec\":{\"replicas\":2},\"status\":{\"readyReplicas\":2}}|",
        "v1/ReplicationController |{\"spec\":{\"replicas\":2},\"status\":{\"readyReplicas\":1}}"
            + "| not enough ready replicas (1/2)",
        "autoscaling.k8s.io/v1/VerticalPodAutoscaler |{\"metadata\":{\"generation\":7}}|",
        "autoscaling.k8s.io/v1/VerticalPodAutoscaler"
            + "|{\"status\":{\"conditions\":[{\"type\":\"ConfigUnsupported\",\"status\":\"True\"}]}}"
            + "| condition \"ConfigUnsupported\" has invalid status True (expected False)",
        "cert.gardener.cloud/v1alpha1/Certificate |{\"status\":{\"state\":\"Ready\"}}|",
        "cert.gardener.cloud/v1alpha1/Certificate |{\"status\":{\"state\":\"Pending\"}}"
            + "| certificate state is \"Pending\" (expected \"Ready\")",
        "cert.gardener.cloud/v1alpha1/Certificate |{}"
            + "| certificate state is \"\" (expected \"Ready\")",
        "cert.gardener.cloud/v1alpha1/Certificate"
            + "|{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"False\","
            + "\"reason\":\"Acme\",\"message\":\"no DNS\"}]}}"
            + "| condition \"Ready\" has invalid status False (expected True) due to Acme: no DNS",
        "cert.gardener.cloud/v1alpha1/Issuer |{\"status\":{\"state\":\"Error\"}}"
            + "| issuer state is \"Error\" (expected \"Ready\")",
        "druid.gardener.cloud/v1alpha1/Etcd |{\"status\":{\"ready\":true}}|",
        "druid.gardener.cloud/v1alpha1/Etcd |{}| etcd is not ready yet",
        "druid.gardener.cloud/v1alpha1/Etcd"
            + "|{\"status\":{\"ready\":true,\"conditions\":[{\"type\":\"BackupReady\","
            + "\"status\":\"Unknown\"}]}}"
            + "| condition \"BackupReady\" has invalid status Unknown (expected True)",
        "monitoring.coreos.com/v1/Prometheus |{\"metadata\":{\"generation\":2},"
            + "\"status\":{\"availableReplicas\":1,\"conditions\":[{\"type\":\"Available\","
            + "\"status\":\"True\",\"observedGeneration\":2}]}}|",
        "monitoring.coreos.com/v1/Prometheus |{\"metadata\":{\"generation\":2},"
            + "\"status\":{\"availableReplicas\":1,\"conditions\":[{\"type\":\"Available\","
            + "\"status\":\"True\",\"observedGeneration\":1}]}}"
            + "| observed generation outdated (1/2)",
        "monitoring.coreos.com/v1/Alertmanager |{\"spec\":{\"replicas\":3},"
            + "\"status\":{\"availableReplicas\":2,\"conditions\":[{\"type\":\"Available\","
            + "\"status\":\"True\"}]}}| not enough available replicas (2/3)",
        "monitoring.coreos.com/v1/Alertmanager |{}| condition \"Available\" is missing",
        "machine.sapcloud.io/v1alpha1/MachineDeployment |{\"metadata\":{\"generation\":2},"
            + "\"status\":{\"observedGeneration\":1}}| observed generation outdated (1/2)",
        "machine.sapcloud.io/v1alpha1/MachineDeployment |{\"status\":{\"conditions\":["
            + "{\"type\":\"Available\",\"status\":\"True\"},{\"type\":\"Frozen\",\"status\":\"True\"}]}}"
            + "| condition \"Frozen\" has invalid status True (expected False)",
        "extensions.gardener.cloud/v1alpha1/Worker |{\"metadata\":{\"generation\":2},"
            + "\"status\":{\"observedGeneration\":2,\"lastOperation\":{\"state\":\"Succeeded\"}}}|",
        "extensions.gardener.cloud/v1alpha1/Worker |{}| not reconciled yet",
        "extensions.gardener.cloud/v1alpha1/Worker |{\"status\":{\"lastOperation\":"
            + "{\"state\":\"Processing\"}}}| last operation is Processing (expected Succeeded)",
        "extensions.gardener.cloud/v1alpha1/Worker |{\"metadata\":{\"annotations\":"
            + "{\"gardener.cloud/operation\":\"reconcile\"}},\"status\":{\"lastOperation\":"
            + "{\"state\":\"Succeeded\"}}}| operation \"reconcile\" was requested but has not started",
        "extensions.gardener.cloud/v1alpha1/Network |{\"metadata\":{\"generation\":1},"
            + "\"status\":{\"observedGeneration\":2}}| observed generation outdated (2/1)",
      })
  void kinds(String kind, String object, @Nullable String message) {
    assertThat(ObjectHealth.check(generic(kind, object)))
        .isEqualTo(message == null ? CheckResult.healthy() : CheckResult.unhealthy(message));
  }

  @Test
  @DisplayName("CH-40 what went wrong while an extension was reconciled keeps its codes")
  void codes() {
    assertThat(
            ObjectHealth.check(
                generic(
                    "extensions.gardener.cloud/v1alpha1/Worker",
                    """
                    {"status": {"lastError": {"description": "no quota left",
                      "codes": ["ERR_INFRA_QUOTA_EXCEEDED", "ERR_OF_TOMORROW"]}}}
                    """)))
        .isEqualTo(
            CheckResult.unhealthy(
                "error during reconciliation: no quota left", ErrorCode.ERR_INFRA_QUOTA_EXCEEDED));
  }

  @Test
  @DisplayName("CH-41 the basis of a kind with a rule is that rule")
  void basis() {
    assertThat(ObjectHealth.basis(new Pod())).isEqualTo("the rule for Pod");
    assertThat(ObjectHealth.basis(new ReplicationController()))
        .isEqualTo("the rule for ReplicationController");
    assertThat(ObjectHealth.basis(generic("example.org/v1/Pod", "{}")))
        .isEqualTo("nothing: the object reports no health");
  }

  @ParameterizedTest
  @DisplayName("CH-42 what its owner takes out of the check is not checked")
  @CsvSource({
    "resources.gardener.cloud/skip-health-check, true,  true",
    "probelet.io/skip-health-check,              true,  true",
    "probelet.io/skip-health-check,              True,  false",
    "probelet.io/skip-health-checks,             true,  false",
  })
  void skipped(String annotation, String value, boolean skipped) {
    HasMetadata pod = generic("v1/Pod", "{\"status\":{\"phase\":\"Failed\"}}");
    pod.getMetadata().setAnnotations(Map.of(annotation, value));
    assertThat(ObjectHealth.check(pod) instanceof Unhealthy).isEqualTo(!skipped);
    if (skipped) {
      assertThat(ObjectHealth.basis(pod))
          .isEqualTo("nothing: the object is excluded by an" + " annotation");
    }
  }

  @ParameterizedTest
  @DisplayName("CH-19 a pod that was evicted, and that another has replaced, is no fault")
  @CsvSource({
    "Evicted,          true,  true",
    "NodeAffinity,     true,  true",
    "NodeLost,         true,  true",
    "Preempting,       true,  true",
    "OutOfcpu,         true,  true",
    "Evicted,          ,      false",
    "Evicted,          false, false",
    "DeadlineExceeded, true,  false",
  })
  void stale(String reason, @Nullable Boolean controller, boolean healthy) {
    HasMetadata pod =
        generic(
            "v1/Pod",
            "{\"metadata\":{\"ownerReferences\":["
                + (controller == null
                    ? ""
                    : "{\"kind\":\"ReplicaSet\",\"controller\":" + controller + "}")
                + "]},\"status\":{\"phase\":\"Failed\",\"reason\":\""
                + reason
                + "\"}}");
    assertThat(ObjectHealth.check(pod) instanceof Unhealthy).isEqualTo(!healthy);
  }

  @Test
  @DisplayName("CH-40 an object whose fields are of other types than its kind has is not checked")
  void malformed() {
    assertThat(ObjectHealth.check(generic("apps/v1/Deployment", "{\"status\":[1]}")))
        .isInstanceOf(CheckResult.NotExecuted.class);
  }

  private static GenericKubernetesResource generic(String kind, String object) {
    int slash = kind.lastIndexOf('/');
    try {
      GenericKubernetesResource resource = JSON.readValue(object, GenericKubernetesResource.class);
      resource.setApiVersion(kind.substring(0, slash));
      resource.setKind(kind.substring(slash + 1));
      if (resource.getMetadata() == null) {
        resource.setMetadata(new ObjectMeta());
      }
      return resource;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
