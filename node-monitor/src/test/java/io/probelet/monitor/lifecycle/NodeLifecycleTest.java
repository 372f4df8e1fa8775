package io.probelet.monitor.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.ManualClock;
import io.probelet.health.VirtualTime;
import io.probelet.kube.election.Leadership;
import io.probelet.monitor.MonitoredNodes;
import io.probelet.monitor.publish.AbsentAgent;
import io.probelet.monitor.publish.NodePublisher;
import io.probelet.monitor.publish.NodeTaints;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.rule.TaintSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The leader and some agents, with an API server. */
class NodeLifecycleTest {
  private static final Instant SINCE = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration ROUND = Duration.ofSeconds(5);
  private static final String TAINT = "probelet.io/disk:NoSchedule";

  private final VirtualTime time = new VirtualTime(new ManualClock(SINCE));
  private final AtomicBoolean leads = new AtomicBoolean(true);
  private final List<NodePublisher> agents = new ArrayList<>();
  private MonitoredNodes nodes;

  @BeforeEach
  void open() throws Exception {
    nodes = new MonitoredNodes();
    for (String name : List.of("n1", "n2", "n3", "n4", "n5")) {
      nodes.node(name);
    }
  }

  @AfterEach
  void close() {
    agents.forEach(NodePublisher::close);
    nodes.close();
  }

  private NodeLifecycle lifecycle() {
    return new NodeLifecycle(
        nodes.api(), "probelet-system", leads::get, time.clock(), ROUND, time.loop("lifecycle"));
  }

  private static Condition condition(ConditionStatus status) {
    return new Condition("DiskBroken", status, SINCE, SINCE, "Reason", "message", List.of());
  }

  /** An agent whose disk is broken. */
  private NodePublisher agent(String node) {
    NodePublisher agent =
        new NodePublisher(
            nodes.api(),
            node,
            "boot",
            Duration.ofMinutes(5),
            time.clock(),
            new Random(1),
            time.loop(node));
    agents.add(agent);
    ConditionSpec well = ConditionSpec.of("DiskBroken", "DiskIsWell", "well");
    agent.watching(
        List.of(
            new ConditionSpec(
                well.type(),
                well.reason(),
                well.message(),
                well.holdFor(),
                well.flapCount(),
                well.flapWindow(),
                TaintSpec.parse(TAINT, 20))));
    agent.conditionChanged(condition(ConditionStatus.TRUE));
    agent.start();
    eventually(() -> nodes.condition(node, "DiskBroken").has("status"));
    return agent;
  }

  private boolean tainted(String node) {
    for (JsonNode taint : nodes.get(node).at("/spec/taints")) {
      if (taint.path("key").asText().equals("probelet.io/disk")) {
        return true;
      }
    }
    return false;
  }

  /** Advances the time until the condition holds. */
  private void eventually(BooleanSupplier is) {
    for (int step = 0; step < 1200 && !is.getAsBoolean(); step++) {
      time.advance(Duration.ofMillis(100));
    }
    assertThat(is.getAsBoolean()).isTrue();
  }

  @Test
  @DisplayName("B-6 an agent that does not renew its lease: its conditions are Unknown, AgentGone")
  void agentGone() throws Exception {
    agent("n1");
    agent("n2");
    nodes.lease("n1", "then");
    nodes.lease("n2", "then");
    leads.set(false);
    try (NodeLifecycle _ = lifecycle()) {
      time.advance(ROUND.multipliedBy(2));
      time.advance(Duration.ofSeconds(61));
      nodes.lease("n2", "now");
      time.advance(ROUND.multipliedBy(2));
      assertThat(nodes.condition("n1", "DiskBroken").path("status").asText())
          .as("one that does not lead any more writes nothing")
          .isEqualTo("True");
      leads.set(true);
      eventually(
          () -> nodes.condition("n1", "DiskBroken").path("status").asText().equals("Unknown"));
      JsonNode unknown = nodes.condition("n1", "DiskBroken");
      assertThat(unknown.path("reason").asText()).isEqualTo(AbsentAgent.REASON);
      assertThat(unknown.path("message").asText()).contains("not renewed its lease since then");
      assertThat(nodes.condition("n1", "Ready").path("status").asText()).isEqualTo("True");
      assertThat(nodes.condition("n2", "DiskBroken").path("status").asText()).isEqualTo("True");
      int writes = nodes.server().writesDone("/n1/status").size();
      time.advance(ROUND.multipliedBy(3));
      assertThat(nodes.server().writesDone("/n1/status")).as("said once").hasSize(writes);
      agents.getFirst().publishAgain();
      eventually(() -> nodes.condition("n1", "DiskBroken").path("status").asText().equals("True"));
    }
  }

  @Test
  @DisplayName("B-6 an agent that comes back while others are marked as gone is not marked")
  void backMeanwhile() throws Exception {
    agent("n1");
    agent("n2");
    nodes.lease("n1", "then");
    nodes.lease("n2", "then");
    ManualClock clock = new ManualClock(SINCE);
    AtomicBoolean slow = new AtomicBoolean();
    Leadership term =
        () -> {
          if (slow.compareAndSet(true, false)) { // before the first of them is marked
            clock.advance(Duration.ofSeconds(10));
            nodes.lease("n1", "now");
            nodes.lease("n2", "now");
          }
          return true;
        };
    try (NodeLifecycle _ =
        new NodeLifecycle(
            nodes.api(), "probelet-system", term, clock, ROUND, time.loop("lifecycle"))) {
      time.advance(ROUND.multipliedBy(2));
      clock.advance(Duration.ofSeconds(61));
      slow.set(true);
      eventually(() -> !slow.get());
      time.advance(ROUND);
      assertThat(
              Stream.of("n1", "n2")
                  .map(node -> nodes.condition(node, "DiskBroken").path("status").asText()))
          .containsExactlyInAnyOrder("Unknown", "True");
    }
  }

  @Test
  @DisplayName("B-6 an invalid status on one node does not stop the round: it becomes Unknown too")
  void statusThatIsNone() throws Exception {
    agent("n1").close();
    agent("n2").close();
    nodes.edit(
        "n1", "{\"status\":{\"conditions\":[{\"type\":\"DiskBroken\",\"status\":\"Perhaps\"}]}}");
    nodes.lease("n1", "then");
    nodes.lease("n2", "then");
    try (NodeLifecycle _ = lifecycle()) {
      time.advance(ROUND.multipliedBy(2));
      time.advance(Duration.ofSeconds(61));
      for (String node : List.of("n1", "n2")) {
        eventually(() ->
            nodes.condition(node, "DiskBroken").path("reason").asText().equals(AbsentAgent.REASON));
      }
    }
  }

  @Test
  @DisplayName("B-6 AgentGone conditions are not adopted by the next agent")
  void notAdopted() {
    NodePublisher agent = agent("n1");
    assertThat(agent.adoptable().orElseThrow()).hasSize(1);
    new AbsentAgent(nodes.api(), "n1").gone("gone", SINCE);
    assertThat(agent.adoptable()).contains(List.of());
  }

  @Test
  @DisplayName(
      "B-11 one of five nodes may be tainted: the next one follows when the first is "
          + "healthy again")
  void taints() throws Exception {
    NodePublisher first = agent("n1");
    try (NodeLifecycle lifecycle = lifecycle()) {
      eventually(() -> tainted("n1"));
      agent("n2");
      eventually(() -> lifecycle.held() == 1);
      assertThat(tainted("n2")).isFalse();
      assertThat(lifecycle.tainted()).isEqualTo(1);
      nodes.server().faults().failNext(409, "", "");
      first.conditionChanged(condition(ConditionStatus.FALSE));
      eventually(() -> tainted("n2"));
      assertThat(tainted("n1")).isFalse();
      eventually(() -> !nodes.get("n1").at("/metadata/labels").has(NodeTaints.LABEL));
      assertThat(nodes.get("n1").at("/spec/taints").findValuesAsText("key"))
          .as("others' taints stay")
          .containsExactly("theirs");
      first.conditionChanged(condition(ConditionStatus.UNKNOWN));
      time.advance(ROUND.multipliedBy(3));
      assertThat(tainted("n1")).isFalse();
    }
  }

  @Test
  @DisplayName("B-11 a taint stays while its condition is Unknown, and goes with its monitor")
  void unknown() throws Exception {
    NodePublisher agent = agent("n1");
    try (NodeLifecycle _ = lifecycle()) {
      eventually(() -> tainted("n1"));
      agent.conditionChanged(condition(ConditionStatus.UNKNOWN));
      eventually(
          () -> nodes.condition("n1", "DiskBroken").path("status").asText().equals("Unknown"));
      time.advance(ROUND.multipliedBy(3));
      assertThat(tainted("n1")).isTrue();
      agent.watching(List.of());
      eventually(() -> !tainted("n1"));
    }
  }

  @Test
  @DisplayName("B-6, B-11 uninstall takes conditions, taints, label and annotations")
  void uninstall() {
    agent("n1");
    try (NodeLifecycle _ = lifecycle()) {
      eventually(() -> tainted("n1"));
    }
    agents.forEach(NodePublisher::close);
    new AbsentAgent(nodes.api(), "n1").remove();
    JsonNode node = nodes.get("n1");
    assertThat(node.at("/metadata/annotations")).isEmpty();
    assertThat(node.at("/metadata/labels")).isEmpty();
    assertThat(node.at("/spec/taints").findValuesAsText("key")).containsExactly("theirs");
    assertThat(nodes.condition("n1", "DiskBroken").isMissingNode()).isTrue();
  }
}
