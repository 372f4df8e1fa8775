package io.probelet.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.controller.remediation.RemediationPart;
import io.probelet.health.SystemClock;
import io.probelet.kube.FakeApiServer;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.scrape.ScrapeSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Node admission as a part of the controller: election, metrics and notes. */
@Timeout(120)
class NodeReadinessPartTest {
  private final HttpClient http = HttpClient.newHttpClient();
  @TempDir private Path folder;
  private FakeApiServer api;
  private ClusterController controller;

  @BeforeEach
  void open() throws IOException {
    api = new FakeApiServer();
    Path kubeconfig = Files.writeString(folder.resolve("config"), api.kubeconfig());
    ListenAddress anywhere = new ListenAddress("127.0.0.1", 0);
    controller =
        new ClusterController(
            "one",
            "1",
            "probelet-system",
            anywhere,
            ScrapeSettings.OFF,
            new ClusterAccess(kubeconfig, SystemClock.INSTANCE),
            new ControllerSettings(
                List.of(ControllerPart.parse("node-readiness")),
                new RemediationPart.Settings("leases", "NodeHealthCheck", anywhere, folder),
                List.of()),
            ControllerPorts.ofMachine());
  }

  @AfterEach
  void close() {
    controller.close();
    api.close();
    http.close();
  }

  private String get(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + controller.address() + path)).build();
    return http.send(request, BodyHandlers.ofString()).body();
  }

  @Test
  void leaderTaintsNodesAndReportsThem() {
    api.put(
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
    api.put("{kind: Node, apiVersion: v1, metadata: {name: n1, labels: {role: worker}}, spec: {}}");
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> {
          assertThat(api.get("/api/v1/nodes/n1").at("/spec/taints/0/key").asText())
              .isEqualTo("readiness.k8s.io/network");
          assertThat(get("/metrics"))
              .contains(
                  "node_readiness_rule_nodes{rule=\"network\",state=\"held\"} 1",
                  "node_readiness_taint_operations_total{operation=\"add\",rule=\"network\"} 1");
        });
    assertThat(
            api.get(
                "/apis/coordination.k8s.io/v1/namespaces/probelet-system/leases/probelet-node-readiness"))
        .isNotEmpty();
  }

  @Test
  void reportsAMissingPermissionAndStaysReady() {
    api.faults().refuseReads("/nodereadinessrules", 403, "User \"x\" cannot list it");
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() ->
            assertThat(get("/readyz?verbose"))
                .contains("[+]node-readiness ok")
                .contains("deploy/node-readiness/access.yaml"));
  }
}
