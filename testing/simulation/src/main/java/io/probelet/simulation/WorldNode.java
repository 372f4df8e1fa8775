package io.probelet.simulation;

import io.probelet.agent.config.OrderSettings;
import io.probelet.monitor.rule.CheckKind;
import io.probelet.monitor.rule.CheckSpec;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.rule.DefaultMonitors;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.TaintSpec;
import io.probelet.simulation.WorldSettings.Part;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.control.ScriptedAgent;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.kernel.Simulation;
import io.probelet.simulation.node.AgentProcess;
import io.probelet.simulation.node.AgentSetup;
import io.probelet.simulation.node.Behavior;
import io.probelet.simulation.node.ContainerScript;
import io.probelet.simulation.node.Kubelet;
import io.probelet.simulation.node.SimulatedNode;
import io.probelet.simulation.node.StopRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A node with its agent, which starts with each boot unless a fault keeps it from that. */
final class WorldNode {
  private static final Duration BOOT = Duration.ofSeconds(40);

  /** Few checks, because each takes time in a world of many nodes. */
  private static final Set<CheckKind> CHECKS =
      EnumSet.of(CheckKind.CPU_LOCKUP, CheckKind.READ_ONLY_MOUNTS, CheckKind.DISK_SPACE);

  private static final OrderSettings ORDERS =
      new OrderSettings(true, OrderSettings.OFF.units(), true, true, true);

  private final Simulation world;
  private final SimulatedApiServer server;
  private final WorldSettings settings;
  private final SimulatedNode node;
  private final List<Monitor> monitors;
  private final List<String> wrongStops = new ArrayList<>();
  private boolean keptDown;
  private @Nullable AgentProcess agent;
  private final @Nullable ScriptedAgent scripted;

  WorldNode(
      Simulation world,
      SimulatedApiServer server,
      WorldSettings settings,
      String name,
      int number,
      Kubelet.Scripts scripts) {
    this.world = world;
    this.server = server;
    this.settings = settings;
    node = new SimulatedNode(world, name, number, server, scripts);
    monitors = DefaultMonitors.with(List.of()).stream().map(this::few).toList();
    node.onBoot(this::startAgent);
    scripted =
        settings.agents()
            ? null
            : new ScriptedAgent(world, server, name, new Host(), settings.taintPercent());
  }

  private Monitor few(Monitor monitor) {
    return monitor instanceof Monitor.Checks checks
        ? new Monitor.Checks(
            checks.source(),
            checks.metricsReporting(),
            checks.conditions().stream().map(this::tainting).toList(),
            checks.rules().stream().filter(rule -> CHECKS.contains(rule.kind())).toList(),
            checks.about())
        : monitor;
  }

  private ConditionSpec tainting(ConditionSpec spec) {
    return new ConditionSpec(
        spec.type(),
        spec.reason(),
        spec.message(),
        spec.holdFor(),
        spec.flapCount(),
        spec.flapWindow(),
        new TaintSpec("probelet.io/" + spec.type(), "NoSchedule", settings.taintPercent()));
  }

  /** Begins or ends a problem of the node. */
  void problem(Class<? extends CheckSpec> kind, boolean begins) {
    if (begins) {
      node.truth().broken(kind, "simulated");
    } else {
      node.truth().well(kind);
    }
    if (scripted != null) {
      scripted.problem(condition(kind), begins);
    }
  }

  SimulatedNode node() {
    return node;
  }

  /** {@return a line for each decision so far to stop a container without a cause} */
  List<String> wrongStops() {
    return wrongStops;
  }

  String name() {
    return node.name();
  }

  /** {@return the process of the agent; null while it does not run} */
  @Nullable SimulatedProcess agent() {
    return agent == null || agent.process().isKilled() ? null : agent.process();
  }

  /** Starts the agent, if it does not run and may. */
  void startAgent() {
    if (settings.agents() && !keptDown && !node.isOff() && agent() == null) {
      StopRules stops = new StopRules(world, node.runtime(), wrongStops);
      agent =
          AgentProcess.start(
              world,
              node,
              server,
              new AgentSetup(
                  settings.has(Part.REMEDIATION) ? ORDERS : OrderSettings.OFF,
                  settings.has(Part.NODE_CONDITIONS) ? monitors : List.of(),
                  List.of(stops)));
    }
  }

  /** Ends the agent between two of its steps. */
  void killAgent() {
    if (agent != null) {
      agent.kill();
      agent = null;
    }
  }

  /** Keeps the agent from starting, or lets it start. */
  void keepDown(boolean down) {
    keptDown = down;
  }

  /** Reboots the node, from outside or by an order. */
  void reboot(boolean power) {
    if (!node.isOff()) {
      killAgent();
      node.reboot(BOOT, power);
    }
  }

  /** Starts what does not run, once all faults have ended. */
  void repair() {
    keptDown = false;
    if (!node.isOff() && node.kubelet().process().isKilled()) {
      node.restartKubelet(Duration.ZERO);
    }
    startAgent();
  }

  /** The machine as the scripted agent sees it. */
  private final class Host implements ScriptedAgent.Host {
    @Override
    public boolean isUp() {
      return !node.isOff() && !node.machine().isSuspended();
    }

    @Override
    public String bootId() {
      return node.bootId();
    }

    @Override
    public void restartServices() {
      node.restartKubelet(Duration.ofSeconds(2));
    }

    @Override
    public void reboot() {
      WorldNode.this.reboot(false);
    }
  }

  /** {@return the type of the condition that reports a problem} */
  static String condition(Class<? extends CheckSpec> problem) {
    if (problem.equals(CheckSpec.CpuLockup.class)) {
      return "KernelDeadlock";
    }
    return problem.equals(CheckSpec.ReadOnlyMounts.class) ? "ReadonlyFilesystem" : "DiskFull";
  }

  /** {@return how containers live that no fault disturbs} */
  static ContainerScript healthy(Duration starts) {
    return new ContainerScript(
        ContainerScript.Nature.HEALTHY,
        Behavior.HEALTHY,
        starts,
        ContainerScript.FOR_GOOD,
        Duration.ZERO,
        true);
  }
}
