package io.probelet.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.probe.PodRef;
import io.probelet.simulation.faults.Fault;
import io.probelet.simulation.node.Behavior;
import io.probelet.simulation.node.ContainerInstance;
import io.probelet.simulation.node.ScriptedContainer;
import io.probelet.simulation.node.Spell;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Faults of one container. */
final class ContainerFaults {
  private static final int[] CODES = {0, 1, 2, 139};

  private ContainerFaults() {}

  /** {@return ends the fault} */
  static Runnable begin(World world, Fault fault) {
    List<ScriptedContainer> all = world.containers();
    if (all.isEmpty()) {
      return FaultActions::nothing;
    }
    ScriptedContainer container = all.get(fault.target(all.size()));
    RandomGenerator random = fault.random();
    return switch (fault.kind()) {
      case FAIL_CONTAINER -> untilRestarted(world, container, Behavior.WRONG);
      case HANG_CONTAINER -> untilRestarted(world, container, Behavior.HANGING);
      case FAIL_FOR_A_WHILE ->
          disturb(
              world,
              container,
              switch (random.nextInt(4)) {
                case 0 -> Behavior.WRONG;
                case 1 -> Behavior.HANGING;
                case 2 -> Behavior.REFUSING;
                default -> Behavior.UNREACHABLE;
              });
      case SLOW_CONTAINER -> {
        Duration fastest = Duration.ofMillis(random.nextInt(50, 900));
        Duration slowest = fastest.plusMillis(random.nextInt(100, 2_500));
        yield disturb(
            world,
            container,
            random.nextBoolean()
                ? Behavior.slow(fastest, slowest)
                : Behavior.throttled(fastest, slowest, random.nextInt(30, 95)));
      }
      case START_SLOWLY -> startSlowly(world, container, random);
      case CRASH_CONTAINER -> {
        crash(world, container, CODES[random.nextInt(CODES.length)], "Error");
        yield FaultActions::nothing;
      }
      case DELETE_POD -> {
        String path = path(container);
        if (world.server().get(path) instanceof ObjectNode) {
          world.server().delete(path);
        }
        yield FaultActions::nothing;
      }
      case EDIT_PROBES -> edit(world, container, random);
      default -> throw new IllegalArgumentException(fault.toString());
    };
  }

  /** Changes the periods in a pod's annotation, if it has one. */
  private static Runnable edit(World world, ScriptedContainer container, RandomGenerator random) {
    String path = path(container);
    String probes =
        world.server().get(path).at("/metadata/annotations/probelet.io~1probes").asText();
    if (!probes.isEmpty()) {
      ObjectNode patch = JsonNodeFactory.instance.objectNode();
      patch
          .putObject("metadata")
          .putObject("annotations")
          .put(
              "probelet.io/probes",
              probes.replaceAll("period: [0-9]+s", "period: " + random.nextInt(2, 20) + "s"));
      world.server().patch(path, patch.toString());
    }
    return FaultActions::nothing;
  }

  private static String path(ScriptedContainer container) {
    PodRef pod = container.pod().ref();
    return "/api/v1/namespaces/%s/pods/%s".formatted(pod.namespace(), pod.name());
  }

  static void crash(World world, ScriptedContainer container, int code, String reason) {
    ContainerInstance newest = container.newest();
    if (newest != null) {
      world
          .nodes()
          .forEach(node -> {
            if (node.node().runtime().pods().contains(container.pod())) {
              node.node().runtime().crash(newest, code, reason);
            }
          });
    }
  }

  private static Runnable disturb(World world, ScriptedContainer container, Behavior behavior) {
    container.disturb(new Spell(world.simulation().now(), Long.MAX_VALUE, behavior));
    return container::calm;
  }

  /** Its next instance is healthy. */
  private static Runnable untilRestarted(
      World world, ScriptedContainer container, Behavior behavior) {
    ContainerInstance sick = container.newest();
    Runnable end = disturb(world, container, behavior);
    world.whenEnded(instance -> {
      if (instance.equals(sick)) {
        end.run();
      }
    });
    return end;
  }

  /** While it lasts, each instance refuses connections for the first time of its life. */
  private static Runnable startSlowly(
      World world, ScriptedContainer container, RandomGenerator random) {
    boolean[] over = {false};
    Duration takes = Duration.ofMillis(random.nextInt(5_000, 50_000));
    world.whenEnded(instance -> {
      if (!over[0] && instance.container().equals(container)) {
        long now = world.simulation().now();
        container.disturb(new Spell(now, now + takes.toNanos(), Behavior.REFUSING));
      }
    });
    if (random.nextBoolean()) {
      world.simulation().after(takes.dividedBy(2), () -> restartAgent(world, container));
    }
    crash(world, container, 1, "Error");
    return () -> over[0] = true;
  }

  /** What a new agent knows of a container that has not started yet decides about it. */
  private static void restartAgent(World world, ScriptedContainer container) {
    world.nodes().stream()
        .filter(node -> node.node().runtime().pods().contains(container.pod()))
        .forEach(node -> {
          node.killAgent();
          node.startAgent();
        });
  }
}
