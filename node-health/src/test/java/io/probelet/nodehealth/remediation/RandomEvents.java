package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.resource.WireNames;
import io.probelet.nodehealth.simulation.VirtualCluster;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/** Random things that happen to a cluster of five nodes, two of them its control plane. */
record RandomEvents(HealthCheckBuilder check, List<Turn> turns) {
  private static final List<Success> SUCCESSES = List.of(Success.YES, Success.NO, Success.UNKNOWN);
  private static final List<String> STATUSES = List.of("True", "False", "Unknown");

  /** One turn; what its numbers mean depends on what they fall on. */
  record Turn(int what, int which, int value) {}

  static VirtualCluster begin() {
    Scene scene = new Scene();
    for (int i = 1; i <= 5; i++) {
      NodeFacts node = Scene.node("n" + i);
      scene.cluster.put(i <= 2 ? node.withLabel(WireNames.CONTROL_PLANE, "") : node);
    }
    return scene.cluster;
  }

  static void happen(Turn turn, VirtualCluster cluster) {
    List<NodeFacts> nodes = List.copyOf(cluster.nodes().values());
    List<ObservedRemediation> remediations =
        cluster.remediations().stream()
            .sorted(
                Comparator.comparing(ObservedRemediation::nodeName)
                    .thenComparing(remediation -> remediation.ref().kind()))
            .toList();
    NodeFacts node = nodes.isEmpty() ? null : nodes.get(turn.which() % nodes.size());
    ObservedRemediation remediation =
        remediations.isEmpty() ? null : remediations.get(turn.which() % remediations.size());
    switch (turn.what()) {
      case 0, 1, 2, 3 -> {
        if (node != null) {
          String status = STATUSES.get(turn.value() % STATUSES.size());
          cluster.put(node.withCondition("Ready", status, cluster.now()));
        }
      }
      case 4 -> {
        if (remediation != null) {
          cluster.put(remediation.withSucceeded(SUCCESSES.get(turn.value() % 3)));
        }
      }
      case 5 -> {
        if (remediation != null) {
          cluster.remove(remediation.uid());
        }
      }
      case 6 -> {
        if (node != null) {
          cluster.put(node.withLabel(WireNames.EXCLUDE, turn.value() % 3 == 0 ? "true" : null));
        }
      }
      case 7 -> {
        if (node != null && turn.value() % 4 == 0) {
          cluster.removeNode(node.name());
        }
      }
      case 8 -> {
        if (node != null) {
          cluster.put(node.withConfirmedHealthy(true));
        }
      }
      default -> {}
    }
  }

  static Duration pause(Turn turn) {
    return Duration.ofSeconds(List.of(1, 60, 130, 301, 302, 700).get(turn.value() % 6));
  }
}
