package io.probelet.nodehealth.rehearsal;

import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.tape.TapeLimits;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The current nodes of a tape. A tape is untrusted, and each line may add labels and conditions to
 * a node, so each node and all of them together have limits.
 */
final class HeldNodes {
  /** Maximum memory of all nodes; 20,000 nodes with 30 labels take 100 MB. */
  static final long MAX_WEIGHT = 256L << 20;

  /** The size of an object with a few fields, without its texts. */
  private static final int OBJECT = 100;

  private final Map<String, NodeFacts> nodes = new HashMap<>();
  private final Map<String, Integer> labelWeights = new HashMap<>();
  private final long maxWeight;
  private long weight;

  HeldNodes() {
    this(MAX_WEIGHT);
  }

  HeldNodes(long maxWeight) {
    this.maxWeight = maxWeight;
  }

  @Nullable NodeFacts get(String name) {
    return nodes.get(name);
  }

  Collection<NodeFacts> all() {
    return nodes.values();
  }

  int size() {
    return nodes.size();
  }

  void remove(String name) {
    NodeFacts before = nodes.remove(name);
    Integer labels = labelWeights.remove(name);
    if (before != null && labels != null) {
      weight -= labels + weightOfConditions(before);
    }
  }

  /** {@return the limit that the node exceeds; empty if none} */
  @SuppressWarnings("ReferenceEquality") // equal maps are shared to save time
  String put(NodeFacts node) {
    NodeFacts before = nodes.get(node.name());
    if (before == null || before.labels() != node.labels()) { // they rarely change
      Integer old = labelWeights.put(node.name(), weightOfLabels(node));
      weight += weightOfLabels(node) - (old == null ? 0 : old);
    }
    weight += weightOfConditions(node) - (before == null ? 0 : weightOfConditions(before));
    nodes.put(node.name(), node);
    if (node.labels().size() > TapeLimits.MAX_LABELS) {
      return "node " + node.name() + " has more than " + TapeLimits.MAX_LABELS + " labels";
    }
    if (node.conditions().size() > TapeLimits.MAX_CONDITIONS) {
      return "node " + node.name() + " has more than " + TapeLimits.MAX_CONDITIONS + " conditions";
    }
    return weight > maxWeight
        ? "the nodes take more than " + (maxWeight >> 20) + " MiB of memory at one time"
        : "";
  }

  private static int weightOfLabels(NodeFacts node) {
    int sum = OBJECT;
    for (Map.Entry<String, String> label : node.labels().entrySet()) {
      sum += OBJECT + label.getKey().length() + label.getValue().length();
    }
    return sum;
  }

  private static int weightOfConditions(NodeFacts node) {
    int sum = OBJECT;
    for (NodeCondition condition : node.conditions()) {
      sum += OBJECT + condition.type().length() + condition.status().length();
    }
    return sum;
  }
}
