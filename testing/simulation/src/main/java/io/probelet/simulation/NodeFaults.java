package io.probelet.simulation;

import static java.time.temporal.ChronoUnit.SECONDS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.monitor.rule.CheckSpec;
import io.probelet.simulation.faults.Fault;
import io.probelet.simulation.kernel.Machine;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.node.Behavior;
import io.probelet.simulation.node.KernelLog.Problem;
import io.probelet.simulation.node.ScriptedContainer;
import io.probelet.simulation.node.ScriptedPod;
import io.probelet.simulation.rules.WorldEvent.CheckBroken;
import io.probelet.simulation.rules.WorldEvent.NodeProblem;
import io.probelet.simulation.rules.WorldEvent.RecordsLost;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Faults of one node and its agent. */
final class NodeFaults {
  private final World world;
  private final Fault fault;
  private final WorldNode node;
  private final RandomGenerator random;

  NodeFaults(World world, Fault fault, WorldNode node) {
    this.world = world;
    this.fault = fault;
    this.node = node;
    this.random = fault.random();
  }

  /** {@return ends the fault} */
  Runnable begin() {
    return switch (fault.kind()) {
      case CRASH_AGENT -> {
        kill();
        yield this::startAgain;
      }
      case CRASH_AGENT_AT_WRITE -> {
        Runnable off = world.crashAtWrite("agent-" + node.name(), random.nextBoolean(), this::kill);
        yield () -> {
          off.run();
          startAgain();
        };
      }
      case TEAR_FILES -> {
        kill();
        world.tell(new RecordsLost(world.simulation().now(), node.name()));
        if (random.nextInt(3) == 0) {
          node.node().files().corrupt(random);
        } else {
          node.node().files().tearWrite(random);
        }
        yield this::startAgain;
      }
      case KILL_FOR_MEMORY -> {
        kill();
        ScriptedPod pod = node.node().anyPod();
        if (pod != null) {
          pod.containers().forEach(each -> ContainerFaults.crash(world, each, 137, "OOMKilled"));
        }
        yield this::startAgain;
      }
      case FREEZE_AGENT -> random.nextBoolean() ? freezeAgent() : freezeAndStepClock();
      case STALL_AGENT -> new AgentStalls(world, node, random).begin();
      case NOISY_TENANT -> HostilePods.noise(world, node.name(), random);
      case BREAK_CHECKS -> breakChecks();
      case PARTITION_NODE -> partition();
      case STOP_KUBELET -> {
        if (random.nextBoolean()) { // so that neither a reboot nor a restart helps
          node.node().breakKubelet();
          yield () -> node.node().repairKubelet();
        }
        node.node().kubelet().kill();
        yield () -> node.node().restartKubelet(Duration.ZERO);
      }
      case NOT_READY -> {
        node.node().kubelet().ready(false);
        yield () -> node.node().kubelet().ready(true);
      }
      case RECREATE_NODE -> recreate();
      case TAINT_NODE -> {
        String key = "example.com/taint-" + fault.target();
        taint(key, true);
        yield () -> taint(key, false);
      }
      case BREAK_KERNEL ->
          problem(
              random.nextBoolean() ? CheckSpec.CpuLockup.class : CheckSpec.ReadOnlyMounts.class);
      case FILL_DISK -> problem(CheckSpec.DiskUsage.class);
      case REBOOT_NODE -> {
        node.reboot(random.nextBoolean());
        yield FaultActions::nothing;
      }
      case SUSPEND_NODE -> suspend();
      case STEP_CLOCK -> {
        Machine machine = node.node().machine();
        Duration step = FaultActions.step(random);
        machine.stepWallClock(step);
        yield () -> machine.stepWallClock(step.negated());
      }
      case DRIFT_CLOCK -> {
        Machine machine = node.node().machine();
        machine.drift((random.nextDouble() - 0.5) * 4_000);
        yield () -> machine.drift(0);
      }
      case RESTART_RUNTIME -> {
        node.node().runtime().restart(fault.length());
        yield FaultActions::nothing;
      }
      case FORGE_LOG -> {
        Problem[] problems = Problem.values();
        for (int times = random.nextInt(1, 20); times > 0; times--) {
          node.node().log().forge(problems[random.nextInt(problems.length)], random);
        }
        yield FaultActions::nothing;
      }
      case DELETE_NODE -> FaultActions.delete(world, "/api/v1/nodes/" + node.name());
      case FAIL_MANY -> failMany();
      case EXCLUDE_NODE -> {
        label("\"true\"");
        yield () -> label("null");
      }
      case DELETE_REMEDIATION -> {
        world.remediationsOf(node.name()).forEach(world.server()::delete);
        yield FaultActions::nothing;
      }
      case HOLD_REMEDIATION -> new HeldRemediations(world, node.name(), random).begin();
      default -> throw new IllegalArgumentException(fault.toString());
    };
  }

  /** For a while, or each container until it is restarted. */
  private Runnable failMany() {
    Behavior behavior = random.nextBoolean() ? Behavior.WRONG : Behavior.HANGING;
    List<ScriptedContainer> all =
        node.node().runtime().pods().stream().flatMap(pod -> pod.containers().stream()).toList();
    if (random.nextBoolean()) {
      node.node().disturb(behavior, fault.length(), 0.9);
      return () -> all.forEach(ScriptedContainer::calm);
    }
    all.stream()
        .filter(_ -> random.nextInt(10) > 0)
        .forEach(each -> ContainerFaults.failUntilRestarted(world, each, behavior));
    return FaultActions::nothing;
  }

  /** They fail or do not end, and perhaps the agent stands still at times, as its disk does. */
  private Runnable breakChecks() {
    boolean hang = random.nextBoolean();
    List<Class<? extends CheckSpec>> some =
        Stream.of(
                CheckSpec.DiskUsage.class,
                CheckSpec.ReadOnlyMounts.class,
                CheckSpec.CpuLockup.class)
            .filter(_ -> random.nextBoolean())
            .<Class<? extends CheckSpec>>map(kind -> kind)
            .toList();
    for (Class<? extends CheckSpec> kind : some) {
      if (hang) {
        node.node().truth().hangs(kind);
      } else {
        node.node().truth().unreadable(kind, "input/output error");
      }
      told(kind, true);
    }
    if (random.nextBoolean()) {
      for (int times = random.nextInt(1, 8); times > 0; times--) {
        Duration length = Duration.ofMillis(random.nextInt(500, 30_000));
        world
            .simulation()
            .after(Duration.ofMillis(random.nextInt(420_000)), () -> stallAgent(length));
      }
    }
    return () -> {
      some.forEach(kind -> node.node().truth().readable(kind));
      some.forEach(kind -> told(kind, false));
    };
  }

  private void told(Class<? extends CheckSpec> kind, boolean begins) {
    world.tell(
        new CheckBroken(world.simulation().now(), node.name(), WorldNode.condition(kind), begins));
  }

  private void stallAgent(Duration length) {
    SimulatedProcess agent = node.agent();
    if (agent == null) {
      return;
    }
    agent.stall();
    node.troubled(false, true);
    world
        .simulation()
        .after(
            length,
            () -> {
              agent.goOn(Duration.ZERO);
              node.troubled(false, false);
            });
  }

  private void kill() {
    node.killAgent();
    node.keepDown(true);
  }

  private void startAgain() {
    node.keepDown(false);
    node.startAgent();
  }

  private Runnable freezeAgent() {
    SimulatedProcess agent = node.agent();
    if (agent == null) {
      return FaultActions::nothing;
    }
    agent.freeze();
    return agent::thaw;
  }

  private Runnable partition() {
    SimulatedProcess agent = node.agent();
    node.node().kubelet().separate(true);
    if (agent != null) {
      world.server().partition(agent, true);
    }
    return () -> {
      node.node().kubelet().separate(false);
      if (agent != null && random.nextBoolean()) {
        world.server().partition(agent, false);
      } else if (agent != null) {
        world.server().healSilently(agent);
      }
    };
  }

  private Runnable problem(Class<? extends CheckSpec> kind) {
    node.problem(kind, true);
    tell(kind, true);
    return () -> {
      node.problem(kind, false);
      tell(kind, false);
    };
  }

  private void tell(Class<? extends CheckSpec> kind, boolean begins) {
    world.tell(
        new NodeProblem(world.simulation().now(), node.name(), WorldNode.condition(kind), begins));
  }

  /** As when a machine is provisioned again: the Node is there before its kubelet reports. */
  private Runnable recreate() {
    String path = "/api/v1/nodes/" + node.name();
    node.node().breakKubelet();
    if (world.server().get(path) instanceof ObjectNode now) {
      world.server().delete(path);
      ObjectNode bare = ClusterObjects.read("{apiVersion: v1, kind: Node, metadata: {}}");
      bare.withObject("metadata").put("name", node.name());
      bare.withObject("metadata").set("labels", now.at("/metadata/labels"));
      Duration away = Duration.ofMillis(random.nextBoolean() ? 0 : random.nextInt(20_000));
      world
          .simulation()
          .after(
              away,
              () -> {
                if (world.server().get(path).isMissingNode()) {
                  world.server().put(bare);
                }
              });
    }
    return node.node()::repairKubelet;
  }

  /** Of another controller, with fields that only it knows. */
  private void taint(String key, boolean present) {
    String path = "/api/v1/nodes/" + node.name();
    if (!(world.server().get(path) instanceof ObjectNode now)) {
      return;
    }
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ArrayNode taints = patch.putObject("spec").putArray("taints");
    for (JsonNode each : now.at("/spec/taints")) {
      if (!each.path("key").asText().equals(key)) {
        taints.add(each);
      }
    }
    if (present) {
      taints
          .addObject()
          .put("key", key)
          .put("value", "v" + random.nextInt(3))
          .put("effect", random.nextBoolean() ? "NoSchedule" : "PreferNoSchedule")
          .put("timeAdded", world.server().machine().wall().truncatedTo(SECONDS).toString());
    }
    world.server().patch(path, patch.toString());
  }

  private Runnable suspend() {
    Runnable thaw = freezeAgent();
    node.node().suspend(fault.length());
    return thaw;
  }

  /** As when a machine wakes up: its wall clock is set right while the agent still waits. */
  private Runnable freezeAndStepClock() {
    Machine machine = node.node().machine();
    Duration step = Duration.ofMillis(random.nextInt(-2_000, 2_000));
    Runnable thaw = freezeAgent();
    world.simulation().after(fault.length().dividedBy(2), () -> machine.stepWallClock(step));
    return () -> {
      thaw.run();
      machine.stepWallClock(step.negated());
    };
  }

  private void label(String value) {
    String path = "/api/v1/nodes/" + node.name();
    if (world.server().get(path) instanceof ObjectNode) {
      world
          .server()
          .patch(
              path,
              "{\"metadata\":{\"labels\":{\"remediation.medik8s.io/exclude-from-remediation\":%s}}}"
                  .formatted(value));
    }
  }
}
