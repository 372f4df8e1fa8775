package io.probelet.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Evidence by workloads as a part of the controller: election, metrics and notes. */
@Timeout(120)
class WorkloadEvidencePartTest {
  @TempDir private Path folder;
  private ControllerUnderTest controller;

  @BeforeEach
  void open() throws IOException {
    controller = new ControllerUnderTest(folder, "workload-evidence");
  }

  @AfterEach
  void close() {
    controller.close();
  }

  @Test
  void leaderComparesPodsOfTheTrustedNamespaces() {
    for (String namespace : List.of("a", "b", "d")) {
      controller.api.put(
          """
          apiVersion: v1
          kind: Pod
          metadata:
            namespace: %s
            name: web
            ownerReferences:
            - {apiVersion: apps/v1, kind: ReplicaSet, name: web, controller: true, uid: 0a0a0a0a-0000-0000-0000-000000000001}
          spec: {nodeName: n1}
          """
              .formatted(namespace));
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() ->
            assertThat(controller.get("/metrics"))
                .contains(
                    "probelet_workload_evidence_pods 2",
                    "probelet_workload_evidence_nodes{reason=\"WorkloadsFailing\"} 0",
                    "probelet_workload_evidence_held_nodes 0",
                    "probelet_workload_evidence_problems 0"));
    assertThat(
            controller.api.get(
                "/apis/coordination.k8s.io/v1/namespaces/probelet-system/leases/probelet-workload-evidence"))
        .isNotEmpty();
  }

  @Test
  void reportsAMissingPermissionAndStaysReady() {
    controller.api.faults().refuseReads("/namespaces/b/pods", 403, "User \"x\" cannot list it");
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() ->
            assertThat(controller.get("/readyz?verbose"))
                .contains("[+]workload-evidence ok")
                .contains("missing permission to list pods in namespace b"));
  }
}
