package io.probelet.nodehealth.controller;

import io.probelet.document.selector.LabelSelector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * NodeHealthChecks by a label that their nodes must have, so that a node is compared only with
 * those that may select it (RB-1). Those that require no label value are compared with every node.
 * Rebuilt after each change; used only on the loop's thread.
 */
final class SelectorIndex {
  private static final Comparator<WatchedHealthCheck> BY_NAME =
      Comparator.comparing(WatchedHealthCheck::name);

  private final Map<String, Map<String, List<WatchedHealthCheck>>> byLabel = new HashMap<>();
  private final List<WatchedHealthCheck> others = new ArrayList<>();

  /** Nodes with the same labels share a list. */
  private final Map<List<WatchedHealthCheck>, List<WatchedHealthCheck>> lists = new HashMap<>();

  SelectorIndex(Collection<WatchedHealthCheck> checks) {
    for (WatchedHealthCheck check : checks) {
      LabelSelector selector = check.selector();
      if (selector != null) {
        home(selector).add(check);
      }
    }
  }

  private List<WatchedHealthCheck> home(LabelSelector selector) {
    for (Map.Entry<String, String> label : selector.matchLabels().entrySet()) {
      return byLabel
          .computeIfAbsent(label.getKey(), _ -> new HashMap<>())
          .computeIfAbsent(label.getValue(), _ -> new ArrayList<>());
    }
    return others;
  }

  /** Those that select a node with these labels, by name. */
  List<WatchedHealthCheck> selecting(Map<String, String> labels) {
    List<WatchedHealthCheck> found = new ArrayList<>();
    select(others, labels, found);
    byLabel.forEach((key, byValue) -> {
      String value = labels.get(key);
      if (value != null) {
        select(byValue.getOrDefault(value, List.of()), labels, found);
      }
    });
    found.sort(BY_NAME);
    List<WatchedHealthCheck> result = List.copyOf(found);
    return lists.computeIfAbsent(result, same -> same);
  }

  private static void select(
      List<WatchedHealthCheck> candidates,
      Map<String, String> labels,
      List<WatchedHealthCheck> found) {
    for (WatchedHealthCheck check : candidates) {
      LabelSelector selector = check.selector();
      if (selector != null && selector.matches(labels)) {
        found.add(check);
      }
    }
  }
}
