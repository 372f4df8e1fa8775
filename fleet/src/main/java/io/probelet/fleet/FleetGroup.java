package io.probelet.fleet;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The nodes that have the same value of a label.
 *
 * @param value the label's value; empty for nodes without it
 * @param nodes by name, at least one
 */
public record FleetGroup(
    String value, List<FleetNode> nodes, Map<FleetNode.State, Integer> counts) {
  /** Labels that clouds and people put on nodes to say where they are, best first. */
  private static final List<String> USUAL =
      List.of(
          "topology.kubernetes.io/zone",
          "topology.kubernetes.io/region",
          "topology.kubernetes.io/rack",
          "worker.gardener.cloud/pool",
          "eks.amazonaws.com/nodegroup",
          "cloud.google.com/gke-nodepool",
          "kubernetes.azure.com/agentpool",
          "karpenter.sh/nodepool",
          "node.kubernetes.io/instance-type");

  private static final int MAX_LABELS = 32;
  private static final int MAX_VALUES = 200;

  /** Keeps unmodifiable copies. */
  public FleetGroup {
    nodes = List.copyOf(nodes);
    counts = Map.copyOf(counts);
  }

  /**
   * Groups nodes.
   *
   * @param label the label's name; empty for one group of all
   * @return the groups by value, nodes without the label last
   */
  public static List<FleetGroup> by(List<FleetNode> nodes, String label) {
    Map<String, List<FleetNode>> groups =
        new TreeMap<>(
            Comparator.<String, Boolean>comparing(String::isEmpty)
                .thenComparing(Comparator.naturalOrder()));
    for (FleetNode node : nodes) {
      String value = label.isEmpty() ? "" : node.label(label);
      groups.computeIfAbsent(value, _ -> new ArrayList<>()).add(node);
    }
    return groups.entrySet().stream()
        .map(group ->
            new FleetGroup(group.getKey(), group.getValue(), FleetView.counts(group.getValue())))
        .toList();
  }

  /**
   * Finds labels by which nodes can be grouped: those with 2 to 200 values, and at least two nodes
   * to a value on average.
   *
   * @return the labels' names, the usual ones first, at most 32
   */
  public static List<String> labels(List<FleetNode> nodes) {
    Map<String, Usage> usages = new HashMap<>();
    for (FleetNode node : nodes) {
      node.labels()
          .forEach((label, value) -> usages.computeIfAbsent(label, _ -> new Usage()).add(value));
    }
    return usages.entrySet().stream()
        .filter(entry -> entry.getValue().groups())
        .map(Map.Entry::getKey)
        .sorted(Comparator.comparingInt(FleetGroup::rank).thenComparing(Comparator.naturalOrder()))
        .limit(MAX_LABELS)
        .toList();
  }

  /** How a label is used. */
  private static final class Usage {
    private final Set<String> values = new HashSet<>();
    private int nodes;

    void add(String value) {
      nodes++;
      if (values.size() <= MAX_VALUES) {
        values.add(value);
      }
    }

    boolean groups() {
      return values.size() > 1 && values.size() <= MAX_VALUES && nodes >= 2 * values.size();
    }
  }

  private static int rank(String label) {
    int rank = USUAL.indexOf(label);
    return rank < 0 ? USUAL.size() : rank;
  }
}
