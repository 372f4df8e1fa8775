package io.probelet.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.controller.remediation.RemediationPart;
import io.probelet.health.SystemClock;
import io.probelet.kube.FakeApiServer;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.nodehealth.workloads.WorkloadSettings;
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

/** Evidence by workloads as a part of the controller: election, metrics and notes. */
@Timeout(120)
class WorkloadEvidencePartTest {
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
                List.of(ControllerPart.parse("workload-evidence")),
                new RemediationPart.Settings("leases", "NodeHealthCheck", anywhere, folder),
                List.of(),
                new WorkloadSettings(List.of("a", "b", "c"), Duration.ofMinutes(5), 3, 60)),
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
  void leaderComparesPodsOfTheTrustedNamespaces() {
    for (String namespace : List.of("a", "b", "d")) {
      api.put(
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
            assertThat(get("/metrics"))
                .contains(
                    "probelet_workload_evidence_pods 2",
                    "probelet_workload_evidence_nodes{reason=\"WorkloadsFailing\"} 0",
                    "probelet_workload_evidence_held_nodes 0",
                    "probelet_workload_evidence_problems 0"));
    assertThat(
            api.get(
                "/apis/coordination.k8s.io/v1/namespaces/probelet-system/leases/probelet-workload-evidence"))
        .isNotEmpty();
  }

  @Test
  void reportsAMissingPermissionAndStaysReady() {
    api.faults().refuseReads("/namespaces/b/pods", 403, "User \"x\" cannot list it");
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() ->
            assertThat(get("/readyz?verbose"))
                .contains("[+]workload-evidence ok")
                .contains("missing permission to list pods in namespace b"));
  }
}
