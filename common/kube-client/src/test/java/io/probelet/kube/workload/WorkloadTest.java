package io.probelet.kube.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.OptionalInt;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workloads and their replicas. */
class WorkloadTest {
  private static final String UID = "00000000-0000-4000-8000-000000000001";

  private static Workload of(String version, String kind) {
    return Workload.of("shop", version, kind, "web", "00000000-0000-4000-8000-000000000001")
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "apps/v1, ReplicaSet, /apis/apps/v1/namespaces/shop/replicasets/web",
    "apps/v1, StatefulSet, /apis/apps/v1/namespaces/shop/statefulsets/web",
    "apps/v1, DaemonSet, /apis/apps/v1/namespaces/shop/daemonsets/web",
    "batch/v1, Job, /apis/batch/v1/namespaces/shop/jobs/web",
    "v1, ReplicationController, /api/v1/namespaces/shop/replicationcontrollers/web"
  })
  @DisplayName("D-8 supported controllers")
  void kinds(String version, String kind, String path) {
    assertThat(of(version, kind).path()).isEqualTo(path);
    assertThat(Workload.parse(of(version, kind).text())).contains(of(version, kind));
    assertThat(of(version, kind)).hasToString(kind + " shop/web");
  }

  @ParameterizedTest
  @CsvSource({
    "apps/v1, Deployment, web, 00000000-0000-4000-8000-000000000001",
    "argoproj.io/v1alpha1, ReplicaSet, web, 00000000-0000-4000-8000-000000000001",
    "'', '', web, 00000000-0000-4000-8000-000000000001",
    "apps/v1, ReplicaSet, '', 00000000-0000-4000-8000-000000000001",
    "apps/v1, ReplicaSet, ../secrets/x, 00000000-0000-4000-8000-000000000001",
    "apps/v1, ReplicaSet, web?x, 00000000-0000-4000-8000-000000000001",
    "apps/v1, ReplicaSet, Web, 00000000-0000-4000-8000-000000000001",
    "apps/v1, ReplicaSet, web, ''",
    "apps/v1, ReplicaSet, web, a/b",
    "apps/v1, ReplicaSet, web, uid-1",
    "apps/v1, ReplicaSet, web, 00000000-0000-4000-8000-00000000000A"
  })
  @DisplayName("D-8 unsupported controllers and invalid names")
  void others(String version, String kind, String name, String uid) {
    assertThat(Workload.of("shop", version, kind, name, uid)).isEmpty();
  }

  @Test
  @DisplayName("D-8 a name or uid that is too long is invalid")
  void tooLong() {
    String name = "n".repeat(253);
    assertThat(Workload.of("shop", "v1", "ReplicationController", name, UID)).isPresent();
    assertThat(Workload.of("shop", "v1", "ReplicationController", name + "n", UID)).isEmpty();
    assertThat(Workload.of("shop", "v1", "ReplicationController", "n", UID + "0")).isEmpty();
    assertThat(Workload.of("n".repeat(64), "v1", "ReplicationController", "n", UID)).isEmpty();
    assertThat(Workload.of("n".repeat(63), "v1", "ReplicationController", "n", UID).orElseThrow())
        .extracting(Workload::lease, InstanceOfAssertFactories.STRING)
        .hasSizeLessThanOrEqualTo(253);
    assertThat(Workload.parse("Job/shop/web/" + UID + "/more")).isEmpty();
    assertThat(Workload.parse("")).isEmpty();
  }

  @Test
  @DisplayName("D-8 a pod that names another namespace's controller is a separate workload")
  void leases() {
    Workload theirs = of("apps/v1", "ReplicaSet");
    Workload forged =
        Workload.of("evil", "apps/v1", "ReplicaSet", theirs.name(), theirs.uid()).orElseThrow();
    assertThat(theirs.lease())
        .isEqualTo("probelet-restarts-replicaset.shop.00000000-0000-4000-8000-000000000001");
    assertThat(forged.lease()).isNotEqualTo(theirs.lease());
    assertThat(of("apps/v1", "StatefulSet").lease()).isNotEqualTo(theirs.lease());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "apps/v1; ReplicaSet; {'spec': {'replicas': 5}}; 5",
        "apps/v1; DaemonSet; {'status': {'desiredNumberScheduled': 7}}; 7",
        "batch/v1; Job; {'spec': {'parallelism': 3}}; 3",
        "batch/v1; Job; {'spec': {}}; 1",
        "apps/v1; ReplicaSet; {'spec': {}}; -1",
        "apps/v1; ReplicaSet; {'spec': {'replicas': -4}}; -1",
        "apps/v1; ReplicaSet; {'spec': {'replicas': 'many'}}; -1"
      })
  @DisplayName("D-12 the replicas are the controller's desired ones")
  void replicas(String version, String kind, String controller, int replicas) throws Exception {
    Workload workload = of(version, kind);
    ObjectMapper json = new ObjectMapper();
    var object = (ObjectNode) json.readTree(controller.replace('\'', '"'));
    assertThat(workload.replicas(object)).as("another of this name").isEmpty();
    object.putObject("metadata").put("uid", "00000000-0000-4000-8000-000000000001");
    assertThat(workload.replicas(object))
        .isEqualTo(replicas < 0 ? OptionalInt.empty() : OptionalInt.of(replicas));
  }
}
