package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.probelet.cli.agent.AgentCommand;
import io.probelet.cli.agent.AgentUnderTest;
import io.probelet.health.ManualClock;
import io.probelet.kube.ApiServer;
import io.probelet.monitor.lifecycle.NodeLifecycle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Issue 6, acceptance 3: a Node in a real API server, and an agent that comes and goes. */
@Tag("real-api")
@Timeout(300)
class NodeMonitorRealApiTest {
  private static final String NODE = "probelet-node-test";
  private static final String NAMESPACE = "probelet-system";

  @TempDir Path directory;
  private RealApi api;
  private KubernetesClient client;
  private Path kmsg;
  private Path kubeconfig;

  @BeforeEach
  void open() throws Exception {
    api = RealApi.open(directory);
    client = api.client();
    api.applyRights("deploy/daemonset.yaml");
    api.applyRights("deploy/controller.yaml");
    api.applyRights("deploy/node-monitor.yaml");
    kubeconfig = api.kubeconfigOf(NAMESPACE, "probelet-agent");
    client
        .resource(new NodeBuilder().withNewMetadata().withName(NODE).endMetadata().build())
        .create();
    client
        .nodes()
        .withName(NODE)
        .editStatus(node ->
            new NodeBuilder(node)
                .editOrNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .withReason("KubeletReady")
                .endCondition()
                .endStatus()
                .build());
    kmsg = Files.createFile(directory.resolve("kmsg"));
    Files.writeString(
        directory.resolve("links.json"),
        """
        {"plugin": "kmsg", "logPath": "/dev/kmsg", "source": "links", "lookback": "5m",
         "conditions": [{"type": "LinkDown", "reason": "LinkIsUp", "message": "link is up",
           "taint": "probelet.io/link-down:NoSchedule", "taintMaxNodesPercent": 100}],
         "rules": [{"type": "permanent", "condition": "LinkDown", "reason": "NoCarrier",
                    "pattern": "\\\\w+: link down", "clearPattern": "\\\\w+: link up"}]}
        """);
    Files.writeString(
        directory.resolve("agent.yaml"),
        "nodeMonitor: {monitors: [%s], stateFolder: %s}\n"
            .formatted(directory.resolve("links.json"), directory.resolve("state")));
  }

  @AfterEach
  void close() {
    if (client != null) {
      client.nodes().withName(NODE).delete();
      api.close();
    }
  }

  private AgentUnderTest agent() throws IOException {
    return AgentUnderTest.start(
        "agent",
        "--kubeconfig=" + kubeconfig,
        "--config=" + directory.resolve("agent.yaml"),
        "--kmsg=" + kmsg,
        "--node-name=" + NODE,
        "--runtime-endpoint=none",
        "--listen=127.0.0.1:0");
  }

  /** With the rights that the controller has, and no others. */
  private KubernetesClient asController() {
    return new KubernetesClientBuilder()
        .withConfig(
            new ConfigBuilder(client.getConfiguration())
                .withImpersonateUsername(
                    "system:serviceaccount:" + NAMESPACE + ":probelet-controller")
                .build())
        .build();
  }

  private void log(String line) throws IOException {
    Files.writeString(kmsg, line + "\n", StandardOpenOption.APPEND);
  }

  private Node node() {
    return client.nodes().withName(NODE).get();
  }

  private Optional<NodeCondition> condition(String type) {
    return node().getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals(type))
        .findFirst();
  }

  private void awaitStatus(String status, String reason) {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() ->
            assertThat(condition("LinkDown"))
                .hasValueSatisfying(found -> {
                  assertThat(found.getStatus()).isEqualTo(status);
                  assertThat(found.getReason()).isEqualTo(reason);
                }));
  }

  private List<String> taints() {
    return node().getSpec().getTaints().stream().map(Taint::getKey).toList();
  }

  @Test
  @DisplayName(
      "Issue 6, acceptance 3, NM-8, B-6, B-11: conditions stay on the Node through restarts and without the agent, until uninstall")
  void lifeOfANode() throws Exception {
    try (AgentUnderTest agent = agent()) {
      awaitStatus("False", "LinkIsUp");
      log("eth0: link down");
      awaitStatus("True", "NoCarrier");
      agent.signal("KILL");
    }
    String since = condition("LinkDown").orElseThrow().getLastTransitionTime();

    delete(directory.resolve("state"));
    try (AgentUnderTest agent = agent()) {
      String heartbeat = condition("LinkDown").orElseThrow().getLastHeartbeatTime();
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> !condition("LinkDown").orElseThrow().getLastHeartbeatTime().equals(heartbeat));
      awaitStatus("True", "NoCarrier");
      assertThat(condition("LinkDown").orElseThrow().getLastTransitionTime()).isEqualTo(since);
      leader();
      awaitStatus("Unknown", "AgentGone");
      log("eth0: link up");
      awaitStatus("False", "LinkIsUp");
      agent.signal("TERM");
      assertThat(agent.exitCode()).isZero();
    }
    assertThat(
            new CommandLine(new AgentCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(uninstall()))
        .isZero();
    assertThat(condition("LinkDown")).isEmpty();
    assertThat(condition("Ready")).isPresent();
    assertThat(node().getMetadata().getAnnotations()).doesNotContainKey("probelet.io/node-taints");
    assertThat(taints()).doesNotContain("probelet.io/link-down");
  }

  private String[] uninstall() {
    return new String[] {"--uninstall", "--node-name=" + NODE, "--kubeconfig=" + api.kubeconfig()};
  }

  /** Taints the node, and takes its agent for gone, by a clock that runs ahead. */
  private void leader() {
    ManualClock clock = new ManualClock(Instant.now());
    try (KubernetesClient controller = asController();
        NodeLifecycle _ =
            NodeLifecycle.start(
                ApiServer.of(controller, Duration.ofSeconds(10)),
                NAMESPACE,
                () -> true,
                clock,
                Duration.ofMillis(200))) {
      await().atMost(Duration.ofMinutes(1)).until(() -> taints().contains("probelet.io/link-down"));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> {
            clock.advance(Duration.ofSeconds(61));
            return condition("LinkDown").orElseThrow().getStatus().equals("Unknown");
          });
    }
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }
}
