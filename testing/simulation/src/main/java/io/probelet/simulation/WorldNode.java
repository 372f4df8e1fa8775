package io.probelet.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.agent.config.GuardSettings;
import io.probelet.agent.config.OrderSettings;
import io.probelet.monitor.rule.CheckKind;
import io.probelet.monitor.rule.CheckSpec;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.rule.DefaultMonitors;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.TaintSpec;
import io.probelet.probe.PodRef;
import io.probelet.simulation.WorldSettings.Part;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.control.ScriptedAgent;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.kernel.Simulation;
import io.probelet.simulation.node.AgentProcess;
import io.probelet.simulation.node.AgentSetup;
import io.probelet.simulation.node.Behavior;
import io.probelet.simulation.node.ContainerScript;
import io.probelet.simulation.node.Kubelet;
import io.probelet.simulation.node.ProbeRules;
import io.probelet.simulation.node.SimulatedNode;
import io.probelet.simulation.node.StopRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
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
  private final GuardSettings guard;
  private final List<Monitor> monitors;
  private final List<String> wrongStops = new ArrayList<>();
  private final List<String> wrongProbes = new ArrayList<>();

  /** Instances whose startup probe has succeeded in any run of the agent. */
  private final Set<String> started = new HashSet<>();

  private boolean keptDown;

  /** How many faults are in force that may keep the agent from its work. */
  private int troubles;

  private int serverTroubles;
  private long calmSince;
  private long serverCalmSince;
  private long agentSince;
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
    int least = world.random("guard/" + name).nextInt(1, 6);
    guard =
        new GuardSettings(
            true,
            GuardSettings.DEFAULT.percent(),
            least,
            GuardSettings.DEFAULT.window(),
            GuardSettings.DEFAULT.hold());
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

  /** {@return a line for each probe so far that broke a rule} */
  List<String> wrongProbes() {
    return wrongProbes;
  }

  String name() {
    return node.name();
  }

  /** {@return the process of the agent; null while it does not run} */
  @Nullable SimulatedProcess agent() {
    return agent == null || agent.process().isKilled() ? null : agent.process();
  }

  private boolean isDeleting(PodRef pod) {
    JsonNode object = server.get(ObjectFields.podPath(pod));
    return ObjectFields.isDeleting(object) || !ObjectFields.uid(object).equals(pod.uid());
  }

  /** A fault of the server or the node begins or ends that may keep the agent from its work. */
  void troubled(boolean server, boolean begins) {
    if (server) {
      serverTroubles += begins ? 1 : -1;
      serverCalmSince = world.now();
    } else {
      troubles += begins ? 1 : -1;
      calmSince = world.now();
    }
  }

  /**
   * {@return for how long nothing has kept the agent from its work}
   *
   * @param withServer whether that includes requests to the API server
   */
  Duration calm(boolean withServer) {
    if (troubles > 0 || node.isOff() || agent() == null || (withServer && serverTroubles > 0)) {
      return Duration.ZERO;
    }
    // An agent that starts while the API server has troubles knows its pods later.
    boolean knowsLess = withServer || agentSince < serverCalmSince;
    if (knowsLess && serverTroubles > 0) {
      return Duration.ZERO;
    }
    long since = knowsLess ? Math.max(calmSince, serverCalmSince) : calmSince;
    return Duration.ofNanos(world.now() - since);
  }

  /** {@return a line for each container that should have been stopped by now} */
  List<String> overdueStops() {
    return StopRules.overdue(world, node.runtime(), calm(false));
  }

  /** {@return what agents have recorded of incidents} */
  List<JsonNode> records() {
    List<JsonNode> records = new ArrayList<>();
    for (String line : node.files().lines("incidents.jsonl")) {
      records.add(ClusterObjects.read(line));
    }
    return records;
  }

  /** Starts the agent, if it does not run and may. */
  void startAgent() {
    if (settings.agents() && !keptDown && !node.isOff() && agent() == null) {
      calmSince = world.now();
      agentSince = world.now();
      StopRules stops = new StopRules(world, node.runtime(), wrongStops);
      agent =
          AgentProcess.start(
              world,
              node,
              server,
              new AgentSetup(
                  settings.has(Part.REMEDIATION) ? ORDERS : OrderSettings.OFF,
                  settings.has(Part.NODE_CONDITIONS) ? monitors : List.of(),
                  guard,
                  process ->
                      List.of(
                          stops,
                          new ProbeRules(
                              world,
                              process,
                              node.runtime(),
                              this::isDeleting,
                              started,
                              wrongProbes))));
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
  static ContainerScript healthy(Duration starts, Behavior well) {
    return new ContainerScript(
        ContainerScript.Nature.HEALTHY,
        well,
        starts,
        ContainerScript.FOR_GOOD,
        Duration.ZERO,
        true);
  }
}
