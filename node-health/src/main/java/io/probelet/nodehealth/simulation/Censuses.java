package io.probelet.nodehealth.simulation;

import io.probelet.nodehealth.remediation.NodeCensus;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.RemediationIndex;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The nodes, grouped by each NodeHealthCheck. */
final class Censuses {
  private final Map<String, NodeCensus> byCheck = new HashMap<>();

  void put(NodeHealthCheck check, Collection<NodeFacts> nodes, Instant now) {
    byCheck.put(check.name(), NodeCensus.of(check.spec(), nodes, now));
  }

  void remove(String check) {
    byCheck.remove(check);
  }

  void put(NodeFacts node, Instant now) {
    byCheck.replaceAll((_, census) -> census.at(now).with(node));
  }

  /** The same; returns whether a plan may change, other than by its next timer. */
  boolean putSaysNews(NodeFacts node, RemediationIndex remediations, Instant now) {
    boolean news = false;
    for (Map.Entry<String, NodeCensus> each : byCheck.entrySet()) {
      NodeCensus before = each.getValue().at(now);
      NodeCensus after = before.with(node);
      each.setValue(after);
      if (!news && after.isNewsSince(before, node.name())) {
        // maximum number of nodes that do not count as healthy yet
        int remediated = remediations.all().size();
        news =
            !remediations.ofNode(node.name()).isEmpty()
                || !after.isOnlyCountSince(before, node.name(), remediated);
      }
    }
    return news;
  }

  void removeNode(String node, Instant now) {
    byCheck.replaceAll((_, census) -> census.at(now).without(node));
  }

  NodeCensus at(Instant now, String check) {
    NodeCensus census = Objects.requireNonNull(byCheck.get(check), check).at(now);
    byCheck.put(check, census);
    return census;
  }

  Optional<Instant> nextChange() {
    return byCheck.values().stream()
        .flatMap(census -> census.nextChange().stream())
        .min(Instant::compareTo);
  }
}
