package io.probelet.nodehealth.rehearsal;

import java.util.HashMap;
import java.util.Map;

/** Counts the nodes that have a remediation, and keeps the maximum. */
final class PeakConcurrency {
  private final Map<String, Integer> open = new HashMap<>();
  private int most;

  void begins(String node) {
    open.merge(node, 1, Integer::sum);
    most = Math.max(most, open.size());
  }

  void ends(String node) {
    open.computeIfPresent(node, (_, count) -> count == 1 ? null : count - 1);
  }

  boolean has(String node) {
    return open.containsKey(node);
  }

  int most() {
    return most;
  }
}
