package io.probelet.nodehealth.controller;

import io.probelet.nodehealth.remediation.NodeFacts;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which NodeHealthChecks select which node, remembered so that an event costs the same however many
 * NodeHealthChecks there are (RB-1). Lives on the loop's thread.
 */
final class Selections {
  private final Map<String, List<Check>> byNode = new HashMap<>();

  /** The NodeHealthChecks that select a node with the labels it has now. */
  List<Check> of(NodeFacts node, Collection<Check> checks) {
    return byNode.computeIfAbsent(
        node.name(), _ -> checks.stream().filter(check -> check.selects(node.labels())).toList());
  }

  /** The node has other labels now, or is gone. */
  void forget(String node) {
    byNode.remove(node);
  }

  /** The NodeHealthChecks are others now, or select otherwise. */
  void forgetAll() {
    byNode.clear();
  }
}
