package io.probelet.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOrigins.Origin;
import io.probelet.probe.ProbeOrigins.Value;
import io.probelet.probe.ProbeSpec;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.faults.Fault;
import io.probelet.simulation.faults.FaultKind;
import io.probelet.simulation.node.Behavior;
import io.probelet.simulation.node.Behavior.Response;
import io.probelet.simulation.node.ContainerInstance;
import io.probelet.simulation.node.ScriptedContainer;
import io.probelet.simulation.node.Spell;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** Faults of one container. */
final class ContainerFaults {
  private static final int[] CODES = {0, 1, 2, 139};

  /** The next instance may run before such a probe has ended. */
  private static final Duration LONG_PROBE = Duration.ofMillis(1_500);

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
      case FAIL_CONTAINER, HANG_CONTAINER -> {
        Behavior sick =
            fault.kind() == FaultKind.FAIL_CONTAINER ? Behavior.WRONG : Behavior.HANGING;
        failUntilRestarted(world, container, sick);
        yield FaultActions::nothing;
      }
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
      case HANG_AND_CRASH -> hangAndCrash(world, container, random);
      case UNREADY_CONTAINER -> disturb(world, container, Behavior.UNREADY);
      case STAY_UNREADY -> {
        var _ = untilRestarted(world, container, Behavior.UNREADY);
        yield FaultActions::nothing;
      }
      case FLAP_READINESS -> {
        flap(world, container, random);
        yield FaultActions::nothing;
      }
      case THROTTLE_CONTAINER -> disturb(world, container, throttled(container, random));
      case STEAL_UID -> HostilePods.thief(world, container);
      case REPORT_FAILED -> {
        reportFailed(world, ObjectFields.podPath(container.pod().ref()));
        yield FaultActions::nothing;
      }
      case CRASH_CONTAINER -> {
        crash(world, container, CODES[random.nextInt(CODES.length)], "Error");
        yield FaultActions::nothing;
      }
      case DELETE_POD -> {
        String path = ObjectFields.podPath(container.pod().ref());
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
    String path = ObjectFields.podPath(container.pod().ref());
    String probes =
        world.server().get(path).at("/metadata/annotations/probelet.io~1probes").asText();
    if (!probes.isEmpty()) {
      ObjectNode patch = JsonNodeFactory.instance.objectNode();
      patch
          .putObject("metadata")
          .putObject("annotations")
          .put(
              "probelet.io/probes",
              probes.replaceAll("period: [0-9]+m?s", "period: " + random.nextInt(8, 20) + "s"));
      world.server().patch(path, patch.toString());
    }
    return FaultActions::nothing;
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

  /** What no agent restarts recovers once faults no longer come. */
  static void failUntilRestarted(World world, ScriptedContainer container, Behavior behavior) {
    Runnable end = untilRestarted(world, container, behavior);
    ProbeSpec liveness = container.spec().probes().get(ProbeKind.LIVENESS);
    boolean restarted =
        liveness != null
            && liveness.origins().of(Value.HANDLER) == Origin.ANNOTATION
            && behavior.fails(liveness.handler(), liveness.timeout())
            && !container.spec().succeedsWithZero(container.pod().spec().restartPolicy());
    if (!restarted) {
      world.whenQuiet(end);
    }
  }

  /** Its next instance is healthy. */
  static Runnable untilRestarted(World world, ScriptedContainer container, Behavior behavior) {
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
    Duration takes = Duration.ofMillis(random.nextInt(5_000, 90_000));
    boolean restarts = random.nextBoolean();
    container.startSlowly(takes);
    Runnable off =
        world.whenStarted(instance -> {
          if (restarts && instance.container().equals(container)) {
            Duration after = takes.dividedBy(8).multipliedBy(random.nextInt(1, 8));
            world.simulation().after(after, () -> restartAgent(world, container));
          }
        });
    crash(world, container, 1, "Error");
    return () -> {
      off.run();
      container.startSlowly(Duration.ZERO);
    };
  }

  /** What a new agent knows of a container that has not started yet decides about it. */
  private static void restartAgent(World world, ScriptedContainer container) {
    world
        .nodeOf(container)
        .ifPresent(node -> {
          node.killAgent();
          node.startAgent();
        });
  }

  /** What a probe finds that began before the end of an instance is not about the next one. */
  private static Runnable hangAndCrash(
      World world, ScriptedContainer container, RandomGenerator random) {
    ContainerInstance sick = container.newest();
    WorldNode node = world.nodeOf(container).orElse(null);
    Runnable calm =
        disturb(world, container, random.nextBoolean() ? Behavior.HANGING : Behavior.UNREACHABLE);
    if (sick == null || node == null) {
      return calm;
    }
    int[] left = {random.nextInt(1, 6)};
    Runnable off =
        node.node()
            .runtime()
            .onProbe((_, probed, takes) -> {
              if (sick.equals(probed) && takes.compareTo(LONG_PROBE) > 0 && --left[0] == 0) {
                Duration after =
                    Duration.ofNanos((long) (takes.toNanos() * random.nextDouble() / 6));
                world
                    .simulation()
                    .after(
                        after,
                        () -> {
                          calm.run();
                          node.node().runtime().crash(sick, 139, "Error");
                        });
              }
            });
    return () -> {
      off.run();
      calm.run();
    };
  }

  /** Perhaps it is restarted first. It goes on until faults no longer come. */
  private static void flap(World world, ScriptedContainer container, RandomGenerator random) {
    ProbeSpec readiness = container.spec().probes().get(ProbeKind.READINESS);
    if (readiness == null) {
      return;
    }
    boolean[] over = {false};
    if (random.nextBoolean()) {
      failUntilRestarted(world, container, Behavior.WRONG);
    }
    flap(world, container, readiness, random, over);
    world.whenQuiet(() -> {
      over[0] = true;
      container.calm();
    });
  }

  private static void flap(
      World world,
      ScriptedContainer container,
      ProbeSpec readiness,
      RandomGenerator random,
      boolean[] over) {
    if (over[0]) {
      return;
    }
    Runnable calm = () -> {};
    ContainerInstance newest = container.newest();
    if (newest != null && newest.at(world.simulation().now()).response() == Response.RIGHT) {
      calm = disturb(world, container, Behavior.UNREADY);
    }
    Duration bad = spell(readiness.period(), readiness.failureThreshold(), random);
    Duration good = spell(readiness.period(), readiness.successThreshold(), random);
    Runnable recovers = calm;
    world
        .simulation()
        .after(
            bad,
            () -> {
              if (!over[0]) {
                recovers.run();
              }
            });
    world.simulation().after(bad.plus(good), () -> flap(world, container, readiness, random, over));
  }

  /** Mostly long enough for a probe to notice. */
  private static Duration spell(Duration period, int threshold, RandomGenerator random) {
    double periods = (threshold + 1) * random.nextDouble(0.6, 2);
    return Duration.ofNanos((long) (period.toNanos() * periods));
  }

  /** Too slow for its probes, because its CPU limit stops it in most periods. */
  private static Behavior throttled(ScriptedContainer container, RandomGenerator random) {
    Duration timeout =
        container.spec().probes().values().stream()
            .map(ProbeSpec::timeout)
            .max(Duration::compareTo)
            .orElse(Duration.ofSeconds(1));
    Duration fastest = timeout.multipliedBy(random.nextInt(50, 300)).dividedBy(100);
    return Behavior.throttled(
        fastest, fastest.plusMillis(random.nextInt(100, 2_000)), random.nextInt(40, 100));
  }

  /** As a controller does that takes a node for lost: the kubelet knows better. */
  private static void reportFailed(World world, String path) {
    if (world.server().get(path) instanceof ObjectNode) {
      world.server().patch(path + "/status", "{\"status\":{\"phase\":\"Failed\"}}");
    }
  }
}
