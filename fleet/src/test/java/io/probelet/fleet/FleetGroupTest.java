package io.probelet.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Nodes by a label. */
class FleetGroupTest {
  private static final String ZONE = "topology.kubernetes.io/zone";

  private static FleetNode node(int i, Map<String, String> labels) {
    return new FleetNode(
        "n-" + i,
        Instant.EPOCH,
        labels,
        false,
        List.of(),
        List.of(),
        i == 0 ? FleetNode.State.WAITING : FleetNode.State.HEALTHY,
        "",
        null,
        null,
        List.of());
  }

  @Test
  @DisplayName("By value, nodes without the label last, with their states counted")
  void groups() {
    List<FleetNode> nodes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      nodes.add(node(i, Map.of(ZONE, i < 2 ? "b" : "a")));
    }
    nodes.add(node(4, Map.of()));
    assertThat(FleetGroup.by(nodes, ZONE))
        .extracting(FleetGroup::value, group -> group.nodes().size(), FleetGroup::counts)
        .containsExactly(
            tuple("a", 2, Map.of(FleetNode.State.HEALTHY, 2)),
            tuple("b", 2, Map.of(FleetNode.State.WAITING, 1, FleetNode.State.HEALTHY, 1)),
            tuple("", 1, Map.of(FleetNode.State.HEALTHY, 1)));
    assertThat(FleetGroup.by(nodes, "")).hasSize(1);
  }

  @Test
  @DisplayName("Labels that group: not one value for all, not one for each, the usual ones first")
  void labels() {
    List<FleetNode> nodes = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      nodes.add(
          node(
              i,
              Map.of(
                  "kubernetes.io/hostname",
                  "n-" + i,
                  "kubernetes.io/os",
                  "linux",
                  "a-rack",
                  "r-" + i % 4,
                  ZONE,
                  "z-" + i % 2)));
    }
    assertThat(FleetGroup.labels(nodes)).containsExactly(ZONE, "a-rack");
  }
}
