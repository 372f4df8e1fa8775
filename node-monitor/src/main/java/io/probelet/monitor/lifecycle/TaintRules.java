package io.probelet.monitor.lifecycle;

import io.probelet.monitor.rule.TaintSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides which nodes are tainted (B-11). Only the leader decides, so that two deciders cannot
 * exceed the limit together.
 */
final class TaintRules {
  private static final int PERCENT = 100;

  private TaintRules() {}

  /**
   * A node that wants a taint, or has one from us.
   *
   * @param ours the taints it has from us, as {@code key:effect}
   */
  record Node(String name, List<TaintSpec> wanted, Set<String> ours, Set<String> theirs) {}

  /**
   * The changes to make.
   *
   * @param taints the new set of our taints per node, for nodes whose taints change; while a taint
   *     is being removed anywhere, a taint is added only in place of one on the same node
   * @param held wanted taints that are held back, with the reason, by node
   */
  record Decision(Map<String, Set<String>> taints, Map<String, List<String>> held) {}

  /**
   * Decides.
   *
   * @param nodes all nodes that want taints or have some of ours, in a stable order
   */
  static Decision decide(List<Node> nodes, int total) {
    Map<String, Integer> counts = new HashMap<>();
    Map<String, Set<String>> kept = new HashMap<>();
    for (Node node : nodes) {
      Set<String> stays = new LinkedHashSet<>(node.ours());
      stays.retainAll(node.wanted().stream().map(TaintSpec::toString).toList());
      kept.put(node.name(), stays);
      Set<String> keys = new HashSet<>(node.theirs());
      stays.forEach(taint -> keys.add(key(taint)));
      keys.forEach(key -> counts.merge(key, 1, Integer::sum));
    }
    // A taint must be removed before another takes its place, since the write may fail.
    boolean nothingGoes =
        nodes.stream()
            .allMatch(node -> kept.getOrDefault(node.name(), Set.of()).containsAll(node.ours()));
    Map<String, Set<String>> changes = new HashMap<>();
    Map<String, List<String>> held = new HashMap<>();
    for (Node node : nodes) {
      Set<String> taints = kept.getOrDefault(node.name(), Set.of());
      for (TaintSpec wanted : node.wanted()) {
        if (taints.contains(wanted.toString()) || node.theirs().contains(wanted.key())) {
          continue; // a foreign taint with that key is sufficient, and is never touched
        }
        int others = counts.getOrDefault(wanted.key(), 0);
        if ((others + 1) * PERCENT > wanted.maxNodesPercent() * total) {
          held.computeIfAbsent(node.name(), _ -> new ArrayList<>())
              .add(
                  "%s: %d of %d nodes have this taint, limit %d%%"
                      .formatted(wanted, others, total, wanted.maxNodesPercent()));
        } else if (nothingGoes || hasKey(node.ours(), wanted.key())) {
          taints.add(wanted.toString());
          counts.merge(wanted.key(), 1, Integer::sum);
        }
      }
      if (!taints.equals(node.ours()) || node.wanted().isEmpty()) {
        changes.put(node.name(), taints);
      }
    }
    return new Decision(changes, held);
  }

  private static boolean hasKey(Set<String> taints, String key) {
    return taints.stream().anyMatch(taint -> key(taint).equals(key));
  }

  private static String key(String taint) {
    return taint.substring(0, taint.lastIndexOf(':'));
  }
}
