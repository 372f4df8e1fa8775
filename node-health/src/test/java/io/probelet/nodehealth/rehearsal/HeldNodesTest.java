package io.probelet.nodehealth.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.tape.TapeLimits;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeldNodesTest {
  private static NodeFacts node(String name) {
    return new NodeFacts(name, "u", Instant.EPOCH, Map.of(), List.of(), false, null);
  }

  /** Attack: each line is short, and together they make one node endless. */
  @Test
  void refusesLabelsAndConditionsThatAddUp() {
    HeldNodes nodes = new HeldNodes();
    NodeFacts labels = node("a");
    NodeFacts conditions = node("b");
    for (int i = 0; i < TapeLimits.MAX_LABELS; i++) {
      labels = labels.withLabel("l" + i, "x");
      assertThat(nodes.put(labels)).isEmpty();
    }
    for (int i = 0; i < TapeLimits.MAX_CONDITIONS; i++) {
      conditions = conditions.withCondition("c" + i, "True", Instant.EPOCH);
      assertThat(nodes.put(conditions)).isEmpty();
    }

    assertThat(nodes.put(labels.withLabel("m", "x"))).isEqualTo("node a has more than 256 labels");
    assertThat(nodes.put(conditions.withCondition("d", "True", Instant.EPOCH)))
        .isEqualTo("node b has more than 64 conditions");
  }

  /** Attack: 20,000 nodes of 256 KiB, each within its own limits. */
  @Test
  void refusesNodesThatTogetherAreTooLarge() {
    HeldNodes nodes = new HeldNodes(1 << 20);
    String excess = "";
    int put = 0;
    while (excess.isEmpty() && put < 10_000) {
      excess = nodes.put(node("n" + put).withLabel("l", "x".repeat(5_000)));
      put++;
    }

    assertThat(excess).isEqualTo("the nodes take more than 1 MiB of memory at one time");
    assertThat(put).isBetween(150, 210);
  }

  @Test
  void forgetsWhatIsGone() {
    HeldNodes nodes = new HeldNodes(1 << 20);
    for (int i = 0; i < 200; i++) {
      assertThat(nodes.put(node("a").withLabel("l", "x".repeat(5_000)))).isEmpty();
      assertThat(nodes.put(node("a").withCondition("c", "x".repeat(i % 99), Instant.EPOCH)))
          .isEmpty();
      nodes.remove("a");
      assertThat(nodes.put(node("b").withLabel("l" + i, "x".repeat(500_000)))).isEmpty();
    }
    assertThat(nodes.size()).isEqualTo(1);
  }
}
