package io.probelet.simulation.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The real agent on a simulated node under the faults of many seeds. */
class AgentFaultsTest {
  private static final int SEEDS = 25;
  private static final Duration FAULTS = Duration.ofMinutes(6);
  private static final Duration QUIET = Duration.ofMinutes(6);

  /** Two holds of two minutes: by the guard against mass failures, and for throttling. */
  private static final Duration HOLDS = Duration.ofMinutes(4);

  private final Map<String, Integer> seen = new TreeMap<>();

  private static void agent(AgentWorld at) {
    if (!at.node.isOff() && (at.agent() == null || at.agent().process().isKilled())) {
      at.startAgent();
    }
  }

  private void fault(AgentWorld at, RandomGenerator random) {
    Duration length = Duration.ofMillis(random.nextInt(50, 40_000));
    int which = random.nextInt(9);
    seen.merge("fault " + which, 1, Integer::sum);
    switch (which) {
      case 0 -> {
        at.agent().kill();
        at.world.after(length, () -> agent(at));
      }
      case 1 -> at.node.freeze(length);
      case 2 -> at.node.suspend(length);
      case 3 -> at.node.reboot(length, random.nextBoolean());
      case 4 -> at.node.runtime().restart(length);
      case 5 -> {
        var process = at.agent().process();
        at.api.partition(process, true);
        at.node.kubelet().separate(random.nextBoolean());
        at.world.after(
            length,
            () -> {
              at.api.partition(process, false);
              at.node.kubelet().separate(false);
            });
      }
      case 6 -> at.api.restart();
      case 7 ->
          at.node.machine().stepWallClock(Duration.ofMillis(random.nextInt(-600_000, 600_000)));
      default -> {
        Behavior[] all = {Behavior.UNREACHABLE, Behavior.HANGING, Behavior.WRONG};
        at.node.disturb(all[random.nextInt(all.length)], length, 0.7);
      }
    }
  }

  private AgentWorld run(long seed) {
    AgentWorld at = new AgentWorld(seed);
    RandomGenerator random = at.world.random("faults");
    for (int number = 0; number < 5; number++) {
      at.pod("pod-" + number, ContainerScript.draw(random));
    }
    at.node.onBoot(() -> agent(at));
    at.node
        .runtime()
        .faults(
            RuntimeFaults.random(
                at.world.random("runtime"), random.nextDouble(0.2), random.nextDouble(0.05)));
    long until = FAULTS.toNanos();
    while (at.world.now() < until) {
      at.run(Duration.ofMillis(random.nextInt(1_000, 60_000)));
      if (at.agent() != null) {
        fault(at, random);
      }
    }
    at.node.runtime().faults(RuntimeFaults.NONE);
    at.run(QUIET);
    seen.merge("stops", at.stops.size(), Integer::sum);
    return at;
  }

  @Test
  @DisplayName("stops no healthy container, none twice, and each that fails permanently")
  void seeds() {
    List<String> broken = new ArrayList<>();
    for (long seed = 0; seed < SEEDS; seed++) {
      AgentWorld at = run(seed);
      List<String> found = new ArrayList<>(at.broken);
      found.addAll(StopRules.overdue(at.world, at.node.runtime(), QUIET, HOLDS));
      for (String each : found) {
        broken.add("seed " + seed + ": " + each);
      }
    }
    assertThat(broken).isEmpty();
    assertThat(seen).hasSize(10);
  }
}
