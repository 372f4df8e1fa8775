package io.probelet.simulation.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.monitor.rule.CheckSpec;
import io.probelet.remediator.order.NodeOrder;
import io.probelet.remediator.order.NodeOrderJson;
import io.probelet.remediator.order.OrderAction;
import io.probelet.remediator.order.OrderOwner;
import io.probelet.remediator.order.OrderSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The real agent on a simulated node. */
class AgentProcessTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static final String ORDER =
      "/apis/probelet.io/v1alpha1/namespaces/probelet-system/nodeorders/node-a";

  private AgentWorld at = new AgentWorld(7);

  private void begin() {
    at.pod("a", ContainerScript.HEALTHY);
    at.pod("b", ContainerScript.HEALTHY);
    at.pod("c", AgentWorld.FAILING);
    at.run(Duration.ofSeconds(5));
    at.startAgent();
  }

  @Test
  @DisplayName("probes pods, stops each failing instance once, and reports to the API server")
  void works() {
    begin();
    at.run(MINUTE.multipliedBy(10));
    assertThat(at.get("/readyz")).isEqualTo("ok\n");
    assertThat(at.get("/metrics"))
        .containsPattern(
            "prober_probe_total\\{.*pod=\"a\".*\"Liveness\",result=\"successful\"\\} (60|61)");
    assertThat(at.stops).isNotEmpty().allMatch(stop -> stop.ran() && !stop.again());
    assertThat(at.stops)
        .allMatch(stop -> stop.instance().container().pod().ref().name().equals("c"))
        .extracting(ContainerStop::instance)
        .doesNotHaveDuplicates();
    assertThat(at.events("c"))
        .anyMatch(event -> event.startsWith("Unhealthy: Liveness probe failed"))
        .anyMatch(event -> event.startsWith("Killing: Container web failed liveness probe"));
    for (String pod : List.of("a", "b")) {
      assertThat(gate(pod)).isEqualTo("True");
      assertThat(at.events(pod)).isEmpty();
    }
    assertThat(leaseRenewed()).isAfter(at.node.machine().wall().minusSeconds(21));
  }

  private String gate(String pod) {
    return at.condition(AgentWorld.PODS + pod, "probelet.io/ready").path("status").asText();
  }

  private Instant leaseRenewed() {
    JsonNode lease =
        at.api.get(
            "/apis/coordination.k8s.io/v1/namespaces/probelet-system/leases/" + at.node.name());
    return Instant.parse(lease.at("/spec/renewTime").asText());
  }

  @Test
  @DisplayName("a killed agent's successor knows started containers, incidents and conditions")
  void killed() {
    begin();
    at.node.truth().broken(CheckSpec.DiskUsage.class, "full");
    at.run(MINUTE.multipliedBy(10));
    JsonNode disk = at.condition("/api/v1/nodes/node-a", "DiskFull");
    assertThat(disk.path("status").asText()).isEqualTo("True");
    JsonNode incidents = at.read("/api/v1/incidents");
    assertThat(incidents.toString()).contains("\"pod\":\"c\"");
    at.agent().kill();
    at.run(MINUTE);
    ScriptedContainer web = at.node.runtime().pods().getFirst().containers().getFirst();
    web.disturb(new Spell(at.world.now(), Long.MAX_VALUE, Behavior.WRONG));
    at.startAgent();
    at.run(MINUTE);
    assertThat(at.events(web.pod().ref().name()))
        .as("its startup probe is over")
        .anyMatch(event -> event.startsWith("Killing: Container web failed liveness probe"));
    assertThat(at.condition("/api/v1/nodes/node-a", "DiskFull").path("lastTransitionTime"))
        .isEqualTo(disk.path("lastTransitionTime"));
    List<String> kept = at.read("/api/v1/incidents").findValuesAsText("containerId");
    assertThat(kept).containsAll(new HashSet<>(incidents.findValuesAsText("containerId")));
  }

  @Test
  @DisplayName("however often the agent is killed, no healthy or stopping container is stopped")
  void killedOften() {
    begin();
    RandomGenerator random = at.world.random("kills");
    for (int kill = 0; kill < 60; kill++) {
      at.run(Duration.ofMillis(random.nextInt(1, 40_000)));
      at.agent().kill();
      at.run(Duration.ofMillis(random.nextInt(1, 5_000)));
      at.startAgent();
    }
    at.run(MINUTE.multipliedBy(5));
    assertThat(at.stops)
        .isNotEmpty()
        .allMatch(stop -> stop.instance().container().pod().ref().name().equals("c"));
    assertThat(gate("a")).isEqualTo("True");
    assertThat(at.get("/readyz")).isEqualTo("ok\n");
  }

  @Test
  @DisplayName("an order is carried out once, whenever the agent is killed meanwhile")
  void ordered() {
    Set<String> phases = new HashSet<>();
    for (int kill = 0; kill < 30; kill += 3) {
      at = new AgentWorld(kill);
      at.run(Duration.ofSeconds(5));
      at.startAgent();
      at.run(Duration.ofSeconds(5));
      OrderSpec spec =
          new OrderSpec(
              new OrderAction.RestartServices(List.of("containerd.service")),
              at.node.bootId(),
              MINUTE,
              "Ready=False",
              new OrderOwner("ServiceRestartRemediation", "default", "node-a", "u"),
              false);
      at.api.put(NodeOrderJson.write(NodeOrder.draft("probelet-system", "node-a", spec)));
      at.run(Duration.ofSeconds(1));
      at.api.patch(ORDER, "{\"spec\": {\"granted\": true}}");
      at.run(Duration.ofMillis(kill));
      at.agent().kill();
      at.startAgent();
      at.run(MINUTE.multipliedBy(2));
      assertThat(at.node.bus().actions()).as("killed after %s ms", kill).hasSizeLessThan(2);
      phases.add(at.api.get(ORDER).at("/status/phase").asText());
    }
    assertThat(phases)
        .as("an agent that does not know whether it acted reports Failed")
        .containsOnly("Done", "Failed");
  }

  @Test
  @DisplayName("an agent that shuts down saves its statistics and stops no more containers")
  void ended() {
    begin();
    at.run(MINUTE.multipliedBy(10));
    int stops = at.stops.size();
    at.agent().end();
    at.run(MINUTE);
    assertThat(at.agent().process().isKilled()).isTrue();
    assertThat(at.stops).hasSize(stops);
    assertThat(at.node.files().state().resolve("probe-statistics.json")).exists();
  }

  @Test
  @DisplayName("the same seed leads to the same history")
  void repeats() {
    assertThat(checksum(3)).isEqualTo(checksum(3)).isNotEqualTo(checksum(4));
  }

  private long checksum(long seed) {
    at = new AgentWorld(seed);
    begin();
    at.run(MINUTE.multipliedBy(4));
    at.agent().kill();
    at.startAgent();
    at.run(MINUTE.multipliedBy(4));
    return at.world.trace().checksum();
  }
}
