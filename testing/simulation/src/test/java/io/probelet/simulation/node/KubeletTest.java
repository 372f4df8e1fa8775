package io.probelet.simulation.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.kernel.Simulation;
import io.probelet.simulation.node.ContainerScript.Nature;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KubeletTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String WEB = "/api/v1/namespaces/default/pods/web";

  private final Simulation world = new Simulation(11);
  private final SimulatedApiServer api = new SimulatedApiServer(world);
  private ContainerScript script = ContainerScript.HEALTHY;
  private final SimulatedNode node = new SimulatedNode(world, "node-a", 1, api, (_, _) -> script);

  private void pod(String more) {
    try {
      api.put(
          (ObjectNode)
              JSON.readTree(
                  """
                  {"apiVersion": "v1", "kind": "Pod",
                   "metadata": {"name": "web", "namespace": "default"},
                   "spec": {"nodeName": "node-a", %s
                     "containers": [{"name": "main", "image": "app:1"}]}}
                  """
                      .formatted(more)));
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(wrong);
    }
  }

  private void run(Duration length) {
    world.run(length);
    assertThat(world.failures()).isEmpty();
  }

  private JsonNode status() {
    return api.get(WEB).path("status");
  }

  private String condition(String type) {
    for (JsonNode each : status().path("conditions")) {
      if (each.path("type").asText().equals(type)) {
        return each.path("status").asText();
      }
    }
    return "";
  }

  private JsonNode main() {
    return status().path("containerStatuses").path(0);
  }

  @Test
  @DisplayName("registers its node and renews its lease")
  void node() {
    run(Duration.ofMinutes(1));
    JsonNode object = api.get("/api/v1/nodes/node-a");
    assertThat(object.at("/status/nodeInfo/bootID").asText()).isEqualTo(node.bootId());
    String lease = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-a";
    String before = api.get(lease).at("/spec/renewTime").asText();
    run(Duration.ofSeconds(20));
    assertThat(api.get(lease).at("/spec/renewTime").asText()).isGreaterThan(before);
    node.kubelet().separate(true);
    run(Duration.ofSeconds(20));
    String separated = api.get(lease).at("/spec/renewTime").asText();
    run(Duration.ofMinutes(1));
    assertThat(api.get(lease).at("/spec/renewTime").asText()).isEqualTo(separated);
  }

  @Test
  @DisplayName("a pod runs, and is Ready only once all its gates are True")
  void gates() {
    pod("\"readinessGates\": [{\"conditionType\": \"probelet.io/ready\"}],");
    run(Duration.ofSeconds(10));
    assertThat(status().path("phase").asText()).isEqualTo("Running");
    assertThat(condition("ContainersReady")).isEqualTo("True");
    assertThat(condition("Ready")).isEqualTo("False");
    var _ =
        api.request(
            "agent",
            "PATCH",
            WEB + "/status",
            "application/strategic-merge-patch+json",
            "{\"status\": {\"conditions\": [{\"type\": \"probelet.io/ready\", \"status\": \"True\"}]}}");
    run(Duration.ofSeconds(5));
    assertThat(condition("Ready")).isEqualTo("True");
    assertThat(condition("probelet.io/ready")).isEqualTo("True");
  }

  @Test
  @DisplayName("a container that crashes is restarted with growing back-off")
  void backOff() {
    script =
        new ContainerScript(
            Nature.CRASHING,
            Behavior.HEALTHY,
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ZERO,
            true);
    pod("");
    run(Duration.ofMinutes(1));
    assertThat(main().path("restartCount").asInt()).isBetween(2, 4);
    run(Duration.ofMinutes(20));
    assertThat(main().path("restartCount").asInt()).isBetween(6, 10);
    assertThat(main().at("/lastState/terminated").isObject()).isTrue();
  }

  @Test
  @DisplayName("a deleted pod is gone after its grace period")
  void deletion() {
    pod("");
    run(Duration.ofSeconds(10));
    api.delete(WEB);
    assertThat(api.get(WEB).isMissingNode()).isFalse();
    run(Duration.ofSeconds(20));
    assertThat(api.get(WEB).isMissingNode()).isTrue();
    assertThat(node.runtime().pods()).isEmpty();
  }

  @Test
  @DisplayName("an evicted pod fails and is not started again")
  void eviction() {
    pod("");
    run(Duration.ofSeconds(10));
    node.kubelet().pressure("MemoryPressure", true);
    node.kubelet().evict(node.runtime().pods().getFirst(), "The node was low on resource: memory.");
    run(Duration.ofMinutes(1));
    assertThat(status().path("phase").asText()).isEqualTo("Failed");
    assertThat(status().path("reason").asText()).isEqualTo("Evicted");
    assertThat(main().path("ready").asBoolean()).isFalse();
    assertThat(api.get("/api/v1/nodes/node-a").toString()).contains("KubeletHasInsufficient");
  }

  @Test
  @DisplayName("a reboot changes the boot id and restarts the containers")
  void reboot() {
    pod("");
    run(Duration.ofSeconds(10));
    String id = main().path("containerID").asText();
    String boot = node.bootId();
    node.reboot(Duration.ofSeconds(40), true);
    run(Duration.ofMinutes(2));
    assertThat(main().path("containerID").asText()).isNotEqualTo(id);
    assertThat(main().path("restartCount").asInt()).isEqualTo(1);
    assertThat(main().path("ready").asBoolean()).isTrue();
    assertThat(api.get("/api/v1/nodes/node-a").at("/status/nodeInfo/bootID").asText())
        .isNotEqualTo(boot)
        .isEqualTo(node.bootId());
  }
}
