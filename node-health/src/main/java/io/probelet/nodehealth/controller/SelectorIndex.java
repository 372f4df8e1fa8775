package io.probelet.nodehealth.controller;

import io.probelet.document.selector.LabelIndex;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * NodeHealthChecks by the labels of their nodes, so that a node is compared only with those that
 * may select it (RB-1). Rebuilt after each change; used only on the loop's thread.
 */
final class SelectorIndex {
  private final LabelIndex<WatchedHealthCheck> index;

  /** Nodes with the same labels share a list. */
  private final Map<List<WatchedHealthCheck>, List<WatchedHealthCheck>> lists = new HashMap<>();

  SelectorIndex(Collection<WatchedHealthCheck> checks) {
    index =
        new LabelIndex<>(
            checks.stream().filter(check -> check.selector() != null).toList(),
            check -> Objects.requireNonNull(check.selector()),
            Comparator.comparing(WatchedHealthCheck::name));
  }

  /** Those that select a node with these labels, by name. */
  List<WatchedHealthCheck> selecting(Map<String, String> labels) {
    return lists.computeIfAbsent(List.copyOf(index.selecting(labels)), same -> same);
  }
}
