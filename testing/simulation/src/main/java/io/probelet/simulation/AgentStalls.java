package io.probelet.simulation;

import io.probelet.simulation.kernel.Machine;
import io.probelet.simulation.kernel.SimulatedProcess;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * An agent that stands still again and again, mostly while it probes: it waits for a CPU, or is
 * stopped, and perhaps the wall clock is set meanwhile, as in a virtual machine that is paused.
 */
final class AgentStalls {
  /** Shorter ones are nothing unusual, and no agent notices them. */
  private static final long SHORTEST_NANOS = Duration.ofMillis(15).toNanos();

  private static final long LONGEST_NANOS = Duration.ofSeconds(12).toNanos();

  /** An agent that is stopped and not waiting for a CPU sees only what makes it late. */
  private static final Duration BETWEEN = Duration.ofMillis(300);

  private final World world;
  private final WorldNode node;
  private final RandomGenerator random;

  /** Nanoseconds. */
  private final long longest;

  /** Of the probes that are hit, from 0 to 1. */
  private final double share;

  private final boolean waits;
  private final boolean stepsClock;
  private Duration stepped = Duration.ZERO;
  private Machine machine;
  private boolean underWay;

  AgentStalls(World world, WorldNode node, RandomGenerator random) {
    this.world = world;
    this.node = node;
    this.random = random;
    machine = node.node().machine();
    longest = between(3 * SHORTEST_NANOS, LONGEST_NANOS);
    share = 0.05 + 0.9 * random.nextDouble();
    waits = random.nextBoolean();
    stepsClock = random.nextInt(3) == 0;
  }

  /** {@return ends them} */
  Runnable begin() {
    Runnable off =
        node.node()
            .runtime()
            .onProbe((process, _, takes) -> {
              if (!underWay && random.nextDouble() < share) {
                underWay = true;
                world
                    .simulation()
                    .after(
                        Duration.ofNanos((long) (takes.toNanos() * random.nextDouble())),
                        () -> stall(process));
              }
            });
    return () -> {
      off.run();
      step(stepped.negated());
    };
  }

  private void stall(SimulatedProcess process) {
    Duration length = Duration.ofNanos(between(SHORTEST_NANOS, longest));
    process.stall();
    if (stepsClock && random.nextBoolean()) {
      long millis = between(10, 2_000);
      world
          .simulation()
          .after(
              length.dividedBy(2),
              () -> step(Duration.ofMillis(random.nextBoolean() ? millis : -millis)));
    }
    world
        .simulation()
        .after(
            length,
            () -> {
              process.goOn(waits ? length : Duration.ZERO);
              Duration pause =
                  waits ? Duration.ofNanos(between(SHORTEST_NANOS, longest)) : BETWEEN.plus(length);
              world.simulation().after(pause, () -> underWay = false);
            });
  }

  /** A reboot sets the clock right. */
  private void step(Duration by) {
    if (!machine.equals(node.node().machine())) {
      machine = node.node().machine();
      stepped = Duration.ZERO;
    } else {
      machine.stepWallClock(by);
      stepped = stepped.plus(by);
    }
  }

  /** Short ones are as likely as those of ten times the length. */
  private long between(long least, long most) {
    return (long) (least * Math.pow((double) most / least, random.nextDouble()));
  }
}
