package io.probelet.simulation.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.monitor.node.MonitorListener;
import io.probelet.monitor.node.NodeEvent;
import io.probelet.monitor.node.NodeMonitor;
import io.probelet.monitor.rule.CheckSpec;
import io.probelet.monitor.rule.DefaultMonitors;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.kernel.Simulation;
import io.probelet.simulation.node.KernelLog.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodeMonitoringTest {
  private final Simulation world = new Simulation(5);
  private final SimulatedNode node =
      new SimulatedNode(
          world, "node-a", 1, new SimulatedApiServer(world), (_, _) -> ContainerScript.HEALTHY);
  private final List<String> events = new ArrayList<>();
  private final Map<String, ConditionStatus> conditions = new TreeMap<>();
  private SimulatedProcess agent;

  private void startAgent() {
    SimulatedProcess process = node.process("agent");
    agent = process;
    process.start(
        "main",
        () -> {
          NodeMonitor monitor =
              new NodeMonitor(
                  node.files().state().resolve("node-monitor.json"),
                  node.sources(process),
                  process);
          monitor.addListener(
              new MonitorListener() {
                @Override
                public void happened(NodeEvent event) {
                  events.add(event.reason());
                }

                @Override
                public void conditionChanged(Condition condition) {
                  conditions.put(condition.type(), condition.status());
                }
              });
          monitor.watch(DefaultMonitors.with(List.of()));
        });
  }

  private void run(Duration length) {
    world.run(length);
    assertThat(world.failures()).isEmpty();
  }

  @Test
  @DisplayName(
      "each problem of the kernel is reported once, also over a kill of the agent after it was saved")
  void problems() {
    run(Duration.ofSeconds(1));
    startAgent();
    run(Duration.ofSeconds(10));
    node.log().kernel(Problem.TASK_HUNG.text());
    run(Duration.ofSeconds(10));
    assertThat(events).containsOnlyOnce("TaskHung");
    run(Duration.ofSeconds(30)); // by then its place in the log is saved
    node.kill(agent);
    node.log().kernel(Problem.OOPS.text());
    run(Duration.ofSeconds(10));
    startAgent();
    run(Duration.ofSeconds(10));
    assertThat(events).containsOnlyOnce("TaskHung", "KernelOops");
  }

  @Test
  @DisplayName("nothing that a tenant forges is reported as a problem of the kernel")
  void forged() {
    run(Duration.ofSeconds(1));
    startAgent();
    run(Duration.ofSeconds(10));
    for (Problem problem : Problem.values()) {
      for (int times = 0; times < 10; times++) {
        node.log().forge(problem, world.random(problem + "/" + times));
      }
    }
    run(Duration.ofMinutes(1));
    assertThat(events).allMatch(reason -> reason.equals("OOMKilling"));
    node.log().kernel(Problem.TASK_HUNG.text());
    run(Duration.ofSeconds(10));
    assertThat(events).contains("TaskHung");
  }

  @Test
  @DisplayName("checks find what is wrong with the node, and that it is over")
  void checks() {
    run(Duration.ofSeconds(1));
    startAgent();
    run(Duration.ofMinutes(10));
    assertThat(conditions).containsEntry("DiskFull", ConditionStatus.FALSE);
    node.truth().broken(CheckSpec.DiskUsage.class, "more than 90 % of the space is used on /");
    node.truth().unreadable(CheckSpec.Clock.class, "no clock");
    run(Duration.ofMinutes(10));
    assertThat(conditions)
        .containsEntry("DiskFull", ConditionStatus.TRUE)
        .containsEntry("NTPProblem", ConditionStatus.UNKNOWN);
    node.truth().well(CheckSpec.DiskUsage.class);
    node.truth().readable(CheckSpec.Clock.class);
    run(Duration.ofMinutes(10));
    assertThat(conditions)
        .containsEntry("DiskFull", ConditionStatus.FALSE)
        .containsEntry("NTPProblem", ConditionStatus.FALSE);
  }
}
