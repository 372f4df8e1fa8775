package io.probelet.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.cli.agent.AgentUnderTest;
import io.probelet.kube.FakeApiServer;
import io.probelet.probe.PodRef;
import io.probelet.runtime.cri.NeedsContainerd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code probelet agent} on a node with a container runtime. */
@ExtendWith(NeedsContainerd.class)
class AgentOnContainerdTest {
  /** A busy machine runs runc slowly. */
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  @TempDir Path home;

  @Test
  @DisplayName(
      "a container whose liveness probe fails is stopped through the runtime and told of by events;"
          + " its successor is probed")
  void restart() throws Exception {
    try (ContainerdNode node = new ContainerdNode();
        FakeApiServer api = new FakeApiServer()) {
      node.kubelet.restartWhatEnds();
      PodRef pod = node.kubelet.pod("flaky");
      String first = node.kubelet.container(pod, "web", "sleep", "100000");
      api.put(podJson(pod, first));
      configure(node);
      try (AgentUnderTest agent = agent(api)) {
        awaitContainer(agent, id -> !id.equals(first));
        await().atMost(TIMEOUT).until(() -> told(api, "Unhealthy") && told(api, "Killing"));
        assertThat(api.writes("/eviction")).isEmpty();
        assertThat(agent.get("/readyz")).isEqualTo("ok\n");
        assertThat(agent.get("/metrics"))
            .contains("probelet_restart_decisions_total{", "probelet_runtime_up");
        agent.signal("TERM");
        assertThat(agent.exitCode()).isZero();
      }
    }
  }

  @Test
  @DisplayName("another runtime in the configuration is the one asked and told to stop; and back")
  void switched() throws Exception {
    try (ContainerdNode one = new ContainerdNode();
        ContainerdNode other = new ContainerdNode();
        FakeApiServer api = new FakeApiServer()) {
      other.kubelet.restartWhatEnds();
      PodRef pod = one.kubelet.pod("flaky");
      String well = one.kubelet.container(pod, "web", "sh", "-c", "touch /healthy; sleep 100000");
      String ill = other.kubelet.container(other.kubelet.pod("flaky"), "web", "sleep", "100000");
      api.put(podJson(pod, well));
      configure(one);
      try (AgentUnderTest agent = agent(api)) {
        awaitContainer(agent, id -> id.equals(well));
        configure(other);
        awaitContainer(agent, id -> !id.equals(well) && !id.equals(ill));
        configure(one);
        awaitContainer(agent, id -> id.equals(well));
        await().atMost(TIMEOUT).until(() -> agent.get("/readyz").equals("ok\n"));
      }
    }
  }

  /** Until the container of this id is probed. */
  private static void awaitContainer(AgentUnderTest agent, Predicate<String> id) {
    await()
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .until(() -> {
          JsonNode container = agent.container();
          return id.test(container.path("id").asText())
              && container.at("/probes/0/consecutive").asInt() > 0;
        });
  }

  private void configure(ContainerdNode node) throws IOException {
    // Others may starve this machine, for which the guard would hold restarts.
    Path written = home.resolve("agent.yaml.new");
    Files.writeString(
        written,
        "runtime: {endpoint: unix://%s}\nguard: {enabled: false}\n"
            .formatted(node.containerd.socket()));
    Files.move(written, configuration(), StandardCopyOption.ATOMIC_MOVE);
  }

  private Path configuration() {
    return home.resolve("agent.yaml");
  }

  private static boolean told(FakeApiServer api, String reason) {
    return api.writes("/namespaces/default/events").stream()
        .anyMatch(each ->
            each.body().contains("\"reason\":\"" + reason + "\"")
                && each.body().contains("\"uid\":\"flaky-uid\""));
  }

  private AgentUnderTest agent(FakeApiServer api) throws IOException {
    Path kubeconfig = Files.writeString(home.resolve("kubeconfig"), api.kubeconfig());
    return AgentUnderTest.start(
        "agent",
        "--kubeconfig=" + kubeconfig,
        "--node-name=here",
        "--config=" + configuration(),
        "--listen=127.0.0.1:0");
  }

  private static String podJson(PodRef pod, String containerId) {
    return """
    {"metadata": {"name": "%s", "namespace": "%s", "uid": "%s"},
     "spec": {"nodeName": "here", "restartPolicy": "Always", "terminationGracePeriodSeconds": 1,
        "containers": [{"name": "web", "image": "busybox", "livenessProbe": {
            "exec": {"command": ["cat", "/healthy"]}, "periodSeconds": 1, "timeoutSeconds": 30,
            "failureThreshold": 2}}]},
     "status": {"phase": "Running", "podIP": "127.0.0.1",
        "containerStatuses": [{"name": "web", "containerID": "containerd://%s",
            "state": {"running": {"startedAt": "2026-11-21T10:00:00Z"}}}]}}
    """
        .formatted(pod.name(), pod.namespace(), pod.uid(), containerId);
  }
}
