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
 * Decides which nodes are tainted (B-11). Only ever one in the cluster decides, so that the share
 * cannot be exceeded by two who count at once.
 */
final class TaintRules {
  private static final int PERCENT = 100;

  private TaintRules() {}

  /**
   * A node that is to be tainted, or that we have tainted.
   *
   * @param ours the taints it has from us, as {@code key:effect}
   */
  record Node(String name, List<TaintSpec> wanted, Set<String> ours, Set<String> theirs) {}

  /**
   * What is to be done.
   *
   * @param taints the taints each node shall have from us, for nodes where that is something else
   *     than now; as long as taints go somewhere, none come but in place of one of that node
   * @param held what is wanted and not given, with the reason, by node
   */
  record Decision(Map<String, Set<String>> taints, Map<String, List<String>> held) {}

  /**
   * Decides.
   *
   * @param nodes all nodes that want taints or have some of ours, in an order that stays
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
    // What goes has to be gone before something comes in its place: its write may fail.
    boolean nothingGoes =
        nodes.stream()
            .allMatch(node -> kept.getOrDefault(node.name(), Set.of()).containsAll(node.ours()));
    Map<String, Set<String>> changes = new HashMap<>();
    Map<String, List<String>> held = new HashMap<>();
    for (Node node : nodes) {
      Set<String> taints = kept.getOrDefault(node.name(), Set.of());
      for (TaintSpec wanted : node.wanted()) {
        if (taints.contains(wanted.toString()) || node.theirs().contains(wanted.key())) {
          continue; // somebody else's taint of that key does as well, and is never touched
        }
        int others = counts.getOrDefault(wanted.key(), 0);
        if ((others + 1) * PERCENT > wanted.maxNodesPercent() * total) {
          held.computeIfAbsent(node.name(), _ -> new ArrayList<>())
              .add(
                  "%s: %d of %d nodes have it, and no more than %d%% may"
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
