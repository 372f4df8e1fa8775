package io.probelet.fleet;

import io.probelet.nodehealth.remediation.NodeCensus;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of each NodeHealthCheck, counted anew only as far as they have changed: of 15,000 nodes
 * few do so in a second. Gives what {@link NodeCensus#of} gives. Not safe for use by several
 * threads.
 */
final class CensusCache {
  private Map<String, NodeFacts> nodes = Map.of();
  private final Map<String, Entry> entries = new HashMap<>();

  private record Entry(NodeHealthCheckSpec spec, NodeCensus census) {}

  /**
   * Takes the present nodes.
   *
   * @param now all of them
   * @param checks the names of the NodeHealthChecks that there are; others are forgotten
   */
  void update(List<NodeFacts> now, Set<String> checks) {
    Map<String, NodeFacts> before = nodes;
    Map<String, NodeFacts> current = HashMap.newHashMap(now.size());
    List<NodeFacts> changed = new ArrayList<>();
    for (NodeFacts node : now) {
      current.put(node.name(), node);
      if (!node.equals(before.get(node.name()))) {
        changed.add(node);
      }
    }
    List<String> gone = new ArrayList<>();
    for (String name : before.keySet()) {
      if (!current.containsKey(name)) {
        gone.add(name);
      }
    }
    nodes = current;
    entries.keySet().retainAll(checks);
    entries.replaceAll((_, entry) -> {
      NodeCensus census = entry.census();
      for (String name : gone) {
        census = census.without(name);
      }
      for (NodeFacts node : changed) {
        census = census.with(node);
      }
      return new Entry(entry.spec(), census);
    });
  }

  /** {@return the node of a name; null if there is none} */
  @Nullable NodeFacts node(String name) {
    return nodes.get(name);
  }

  /** {@return the nodes of a NodeHealthCheck at a moment} */
  NodeCensus census(NodeHealthCheck check, Instant now) {
    Entry known = entries.get(check.name());
    NodeCensus census =
        known != null && known.spec().equals(check.spec())
            ? known.census().at(now)
            : NodeCensus.of(check.spec(), nodes.values(), now);
    entries.put(check.name(), new Entry(check.spec(), census));
    return census;
  }
}
