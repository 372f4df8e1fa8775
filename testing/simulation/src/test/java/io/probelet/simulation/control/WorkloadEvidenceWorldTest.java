package io.probelet.simulation.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real controllers that judge nodes by their workloads, under faults, against the truth. */
class WorkloadEvidenceWorldTest {
  private static final Duration SETTLED = Duration.ofMinutes(20);

  /** WE-10, WE-11, WE-12: no True without a broken node, no False without a working one. */
  @ParameterizedTest
  @ValueSource(longs = {1, 4})
  void conditionsFollowTheTruthAlsoUnderFaults(long seed) {
    WorkloadEvidenceWorld world = new WorkloadEvidenceWorld(seed);
    world.start();
    world.world.run(Duration.ofMinutes(10));
    world.turmoil();
    world.world.run(Duration.ofHours(4));
    world.calm();
    world.world.run(Duration.ofMinutes(30)); // the last node has been repaired meanwhile
    world.set(2, false);
    world.world.run(SETTLED);
    assertThat(world.world.failures()).isEmpty();
    assertThat(world.broken).isEmpty();
    assertThat(world.trues()).as("nodes found").isGreaterThan(1);
    for (int node = 0; node < WorkloadEvidenceWorld.NODES; node++) {
      assertThat(world.shown(node)).as("n%d", node).isEqualTo(node == 2 ? "True" : "False");
    }
    world.set(2, true);
    world.world.run(SETTLED);
    assertThat(world.shown(2)).isEqualTo("False");
    assertThat(world.broken).isEmpty();
  }
}
