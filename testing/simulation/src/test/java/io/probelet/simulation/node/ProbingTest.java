package io.probelet.simulation.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProbingTest {
  private static final Duration FAULTS = Duration.ofMinutes(5);
  private static final Duration QUIET = Duration.ofMinutes(5);

  private static ProbingWorld run(long seed) {
    ProbingWorld node = new ProbingWorld(seed);
    node.pods(5);
    node.startAgent();
    node.faults(FAULTS);
    node.world.run(FAULTS.plus(QUIET));
    node.world.failures().forEach(failure -> node.broken.add("failure: " + failure));
    node.broken.addAll(StopRules.overdue(node.world, node.runtime, QUIET, Duration.ofSeconds(60)));
    return node;
  }

  @Test
  @DisplayName("no seed stops a healthy container, stops one twice, or leaves a failing one alone")
  void seeds() {
    List<String> broken = new ArrayList<>();
    Map<String, Integer> seen = new TreeMap<>();
    for (long seed = 0; seed < 200; seed++) {
      ProbingWorld node = run(seed);
      for (String each : node.broken) {
        broken.add("seed " + seed + ": " + each);
      }
      node.seen.forEach((what, times) -> seen.merge(what, times, Integer::sum));
    }
    assertThat(broken).isEmpty();
    assertThat(seen)
        .containsKeys(
            "Success",
            "Failure",
            "ProberError",
            "stop",
            "stop again",
            "RestartHeld",
            "kill",
            "freeze",
            "suspend",
            "outage",
            "runtime restart",
            "clock step");
  }

  @Test
  @DisplayName("a seed always has the same history")
  void repeats() {
    ProbingWorld first = run(7);
    ProbingWorld second = run(7);
    assertThat(second.world.trace().checksum()).isEqualTo(first.world.trace().checksum());
    assertThat(second.world.steps()).isEqualTo(first.world.steps());
  }
}
