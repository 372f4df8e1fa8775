package io.probelet.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Node admission as a part of the controller: election, metrics and notes. */
@Timeout(120)
class NodeReadinessPartTest {
  @TempDir private Path folder;
  private ControllerUnderTest controller;

  @BeforeEach
  void open() throws IOException {
    controller = new ControllerUnderTest(folder, "node-readiness");
  }

  @AfterEach
  void close() {
    controller.close();
  }

  @Test
  void leaderTaintsNodesAndReportsThem() {
    controller.api.put(
        """
        apiVersion: readiness.node.x-k8s.io/v1alpha1
        kind: NodeReadinessRule
        metadata: {name: network, generation: 1}
        spec:
          enforcementMode: continuous
          conditions: [{type: CNIReady, requiredStatus: "True"}]
          taint: {key: readiness.k8s.io/network, effect: NoSchedule}
          nodeSelector: {matchLabels: {role: worker}}
        """);
    controller.api.put(
        "{kind: Node, apiVersion: v1, metadata: {name: n1, labels: {role: worker}}, spec: {}}");
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> {
          assertThat(controller.api.get("/api/v1/nodes/n1").at("/spec/taints/0/key").asText())
              .isEqualTo("readiness.k8s.io/network");
          assertThat(controller.get("/metrics"))
              .contains(
                  "node_readiness_rule_nodes{rule=\"network\",state=\"held\"} 1",
                  "node_readiness_taint_operations_total{operation=\"add\",rule=\"network\"} 1");
        });
    assertThat(
            controller.api.get(
                "/apis/coordination.k8s.io/v1/namespaces/probelet-system/leases/probelet-node-readiness"))
        .isNotEmpty();
  }

  @Test
  void reportsAMissingPermissionAndStaysReady() {
    controller.api.faults().refuseReads("/nodereadinessrules", 403, "User \"x\" cannot list it");
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() ->
            assertThat(controller.get("/readyz?verbose"))
                .contains("[+]node-readiness ok")
                .contains("deploy/node-readiness/access.yaml"));
  }
}
