package io.probelet.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.cli.agent.AgentUnderTest;
import io.probelet.cli.agent.TargetServer;
import io.probelet.cli.realapi.RealApi;
import io.probelet.probe.PodRef;
import io.probelet.runtime.cri.NeedsContainerd;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node whose API server goes away, as long as {@code -Dprobelet.outage=PT5M} says or else a short
 * while.
 */
@Tag("real-api")
@ExtendWith(NeedsContainerd.class)
class OutageTest {
  private static final Duration OUTAGE =
      Duration.parse(System.getProperty("probelet.outage", "PT20S"));

  /** A busy machine runs runc and API servers slowly. */
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private static final String NODE = "probelet-outage";
  private static final String POD = "flaky";

  @TempDir Path directory;
  private TargetServer target;
  private AtomicInteger live;
  private AtomicInteger ready;

  @BeforeEach
  void listen() throws Exception {
    target = new TargetServer();
    live = target.answer("/live");
    ready = target.answer("/ready");
  }

  @AfterEach
  void stop() {
    target.close();
  }

  @Test
  @DisplayName(
      "Issue 4, acceptance 3: while the API server is away probing and restarting go on; then events"
          + " and readiness catch up, and nothing comes twice")
  void outage() throws Exception {
    try (RealApi api = RealApi.open(directory)) {
      Assumptions.assumeTrue(api.isOurs(), "SKIPPED: a cluster of somebody's is not stopped");
      KubernetesClient client = api.client();
      api.applyRights("deploy/daemonset.yaml");
      client
          .resource(new NodeBuilder().withNewMetadata().withName(NODE).endMetadata().build())
          .create();
      Path kubeconfig = api.kubeconfigOf(client.resource(agentPod()).create());
      try (ContainerdNode node = new ContainerdNode()) {
        node.kubelet.restartWhatEnds();
        Pod pod = client.resource(flaky()).create();
        PodRef ref = node.kubelet.pod(new PodRef("default", POD, pod.getMetadata().getUid()));
        reportRunning(client, node.kubelet.container(ref, "web", "sleep", "100000"));
        try (AgentUnderTest agent = agent(kubeconfig, node)) {
          eventually(() -> gate(client).equals("True"));

          api.stopServer();
          long since = System.nanoTime();
          ready.set(500);
          live.set(500);
          eventually(() -> kills(agent) >= 2);
          live.set(200);
          await()
              .atMost(OUTAGE.plus(TIMEOUT))
              .until(() -> System.nanoTime() - since > OUTAGE.toNanos() && isLive(agent));
          int kills = kills(agent);
          api.startServer();

          eventually(() -> gate(client).equals("False"));
          eventually(() -> events(client, "Killing").size() == 1);
          eventually(() -> events(client, "Killing").getFirst().getCount() == kills);
          eventually(() -> livenessFailures(client) == 1);
          eventually(() ->
              client
                      .leases()
                      .inNamespace("probelet-system")
                      .withName(NODE)
                      .get()
                      .getSpec()
                      .getRenewTime()
                      .toInstant()
                      .toEpochMilli()
                  > System.currentTimeMillis() - 30_000);
          assertThat(kills(agent)).as("nothing is restarted once more").isEqualTo(kills);
          assertThat(events(client, "Killing")).hasSize(1);
          assertThat(livenessFailures(client)).isEqualTo(1);

          ready.set(200);
          eventually(() -> gate(client).equals("True"));
        }
      }
    }
  }

  private static Pod agentPod() {
    return new PodBuilder()
        .withNewMetadata()
        .withName("probelet-agent-test")
        .withNamespace("probelet-system")
        .endMetadata()
        .withNewSpec()
        .withNodeName(NODE)
        .withServiceAccountName("probelet-agent")
        .addNewContainer()
        .withName("agent")
        .withImage("probelet:test")
        .endContainer()
        .endSpec()
        .build();
  }

  private Pod flaky() {
    int port = target.port();
    return new PodBuilder()
        .withNewMetadata()
        .withName(POD)
        .withNamespace("default")
        .addToAnnotations(
            "probelet.io/probes",
            """
            web:
              liveness:
                {period: 500ms, timeout: 1m, failureThreshold: 2, httpGet: {path: /live, port: %1$d}}
              readiness:
                {period: 500ms, timeout: 1m, failureThreshold: 1, httpGet: {path: /ready, port: %1$d}}
            """
                .formatted(port))
        .endMetadata()
        .withNewSpec()
        .withNodeName(NODE)
        .withHostNetwork(true)
        .withTerminationGracePeriodSeconds(1L)
        .addNewReadinessGate("probelet.io/ready")
        .addNewContainer()
        .withName("web")
        .withImage("busybox")
        .endContainer()
        .endSpec()
        .build();
  }

  private static void reportRunning(KubernetesClient client, String container) {
    client
        .pods()
        .inNamespace("default")
        .withName(POD)
        .editStatus(pod ->
            new PodBuilder(pod)
                .editOrNewStatus()
                .withPhase("Running")
                .withPodIP("127.0.0.1")
                .withHostIP("127.0.0.1")
                .addNewHostIP("127.0.0.1")
                .addNewContainerStatus()
                .withName("web")
                .withImage("busybox")
                .withImageID("sha256:1")
                .withReady(true)
                .withRestartCount(0)
                .withContainerID("containerd://" + container)
                .withNewState()
                .withNewRunning("2026-11-21T10:00:00Z")
                .endState()
                .endContainerStatus()
                .endStatus()
                .build());
  }

  private AgentUnderTest agent(Path kubeconfig, ContainerdNode node) throws Exception {
    // Others may starve this machine, for which the guard would hold restarts.
    Path noGuard = Files.writeString(directory.resolve("agent.yaml"), "guard: {enabled: false}\n");
    return AgentUnderTest.start(
        "agent",
        "--config=" + noGuard,
        "--kubeconfig=" + kubeconfig,
        "--node-name=" + NODE,
        "--runtime-endpoint=unix://" + node.containerd.socket(),
        "--monitor=none",
        "--listen=127.0.0.1:0");
  }

  private static int kills(AgentUnderTest agent) throws Exception {
    return agent
        .get("/metrics")
        .lines()
        .filter(line -> line.startsWith("probelet_restart_decisions_total{"))
        .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** Whether the last few probes have found it well. */
  private static boolean isLive(AgentUnderTest agent) throws Exception {
    for (JsonNode probe : agent.container().path("probes")) {
      if (probe.path("kind").asText().equals("liveness")) {
        return probe.path("result").asText().equals("Success")
            && probe.path("consecutive").asInt() >= 5;
      }
    }
    return false;
  }

  private static String gate(KubernetesClient client) {
    return RealApi.gate(client.pods().inNamespace("default").withName(POD).get());
  }

  private static List<Event> events(KubernetesClient client, String reason) {
    return client.v1().events().inNamespace("default").list().getItems().stream()
        .filter(event -> reason.equals(event.getReason()))
        .toList();
  }

  private static long livenessFailures(KubernetesClient client) {
    return events(client, "Unhealthy").stream()
        .filter(event -> event.getMessage().startsWith("Liveness"))
        .count();
  }

  private static void eventually(Callable<Boolean> condition) {
    await().atMost(TIMEOUT).ignoreExceptions().until(condition);
  }
}
