package io.probelet.fleet.ui.simulate;

import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.web.page.PageQuery;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the form offers to go down: labels that several nodes have, but not all. */
final class DownChoices {
  /** So many are offered; others can be typed. */
  static final int MAX_CHOICES = 200;

  private static final int MAX_COUNTED = 20_000;

  private DownChoices() {}

  /** {@return labels as {@code key=value}, sorted} */
  static List<String> of(List<NodeFacts> nodes) {
    Map<String, Integer> counts = new HashMap<>();
    for (NodeFacts node : nodes) {
      node.labels()
          .forEach((key, value) -> {
            String label = key + "=" + value;
            if (counts.containsKey(label) || counts.size() < MAX_COUNTED) {
              counts.merge(label, 1, Integer::sum);
            }
          });
    }
    return counts.entrySet().stream()
        .filter(entry -> entry.getValue() > 1)
        .filter(entry ->
            entry.getValue() < nodes.size() && entry.getValue() <= FailureScenario.MAX_DOWN)
        .map(Map.Entry::getKey)
        .filter(label -> label.length() <= PageQuery.MAX_LENGTH)
        .sorted()
        .limit(MAX_CHOICES)
        .toList();
  }
}
