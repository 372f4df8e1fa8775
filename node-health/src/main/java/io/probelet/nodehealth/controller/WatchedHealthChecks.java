package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.Metadata;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeLease;
import io.probelet.nodehealth.wire.RemediationJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All NodeHealthChecks, and which of them need a plan after a change. It remembers which of them
 * select a node, so that an event costs the same however many there are (RB-1). Used only on the
 * loop's thread.
 */
final class WatchedHealthChecks {
  private final Map<String, WatchedHealthCheck> byName = new TreeMap<>();
  private final Map<String, List<WatchedHealthCheck>> byNode = new HashMap<>();
  private @Nullable SelectorIndex index;

  Collection<WatchedHealthCheck> all() {
    return byName.values();
  }

  boolean contains(WatchedHealthCheck check) {
    return byName.get(check.name()) == check;
  }

  /** The kinds of templates and remediations that any of them needs. */
  Set<Kind.Name> kinds() {
    Set<Kind.Name> kinds = new HashSet<>();
    all().forEach(check -> kinds.addAll(check.kinds()));
    return kinds;
  }

  /**
   * Applies a new or changed NodeHealthCheck.
   *
   * @return whether it may now select other nodes or need other kinds
   */
  boolean changed(JsonNode object) {
    String name = RemediationJson.ref(object).name();
    WatchedHealthCheck known = byName.get(name);
    if (known == null || !known.uid().equals(Metadata.uid(object))) {
      byName.put(name, new WatchedHealthCheck(object));
    } else if (!known.changed(object)) {
      return false;
    }
    forgetSelected();
    return true;
  }

  /** Applies the deletion of a NodeHealthCheck; empty if it was unknown. */
  Optional<WatchedHealthCheck> gone(String name, String uid) {
    WatchedHealthCheck known = byName.get(name);
    if (known == null || !known.uid().equals(uid)) {
      return Optional.empty();
    }
    byName.remove(name);
    forgetSelected();
    return Optional.of(known);
  }

  /**
   * Applies a new or changed node.
   *
   * @param before its previous state; null if it is new
   */
  void nodeChanged(@Nullable NodeFacts before, NodeFacts node, Instant now) {
    if (before != null && !before.labels().equals(node.labels())) {
      selecting(before).forEach(check -> check.nodeChanged(node, now));
      byNode.remove(node.name());
    }
    selecting(node).forEach(check -> check.nodeChanged(node, now));
  }

  /**
   * Applies the deletion of a node, whose remediation may belong to a NodeHealthCheck that no
   * longer selects it.
   */
  void nodeGone(String node, Instant now) {
    byNode.remove(node);
    for (WatchedHealthCheck check : all()) {
      check.nodeGone(node, now);
      check.touch();
    }
  }

  /** Records that a node changed other than in its conditions. */
  void touchConcerned(String node) {
    all().stream().filter(check -> check.concerns(node)).forEach(WatchedHealthCheck::touch);
  }

  /**
   * Applies a change of a lease, which its holder may have to release, whatever the node's health.
   */
  void leaseChanged(NodeLease lease) {
    for (WatchedHealthCheck check : all()) {
      if (lease.holder().equals(NodeLease.holderFor(check.name()))) {
        check.touch();
      }
    }
    touchConcerned(lease.node());
  }

  /** Records that policies may decide differently about the nodes that they hold back. */
  void touchHeldByPolicies() {
    all().stream().filter(WatchedHealthCheck::isHeldByPolicies).forEach(WatchedHealthCheck::touch);
  }

  /** Records that policies may decide differently about one node (ACT-81). */
  void touchHeldByPolicies(String node) {
    all().stream().filter(check -> check.isHeldByPolicies(node)).forEach(WatchedHealthCheck::touch);
  }

  /** Records that the state of a kind changed. */
  void kindChanged(Kind.Name kind) {
    for (WatchedHealthCheck check : all()) {
      if (check.kinds().contains(kind)) {
        check.touch();
      }
    }
  }

  void touchAll() {
    all().forEach(WatchedHealthCheck::touch);
  }

  /** Those that select a node by its current labels, by name. */
  List<WatchedHealthCheck> selecting(NodeFacts node) {
    return byNode.computeIfAbsent(node.name(), _ -> index().selecting(node.labels()));
  }

  /**
   * Counts the nodes of all NodeHealthChecks that need it, in one pass over the nodes.
   *
   * @param nodes all nodes
   */
  void count(Collection<NodeFacts> nodes, Instant now) {
    Map<WatchedHealthCheck, List<NodeFacts>> selected = new HashMap<>();
    for (WatchedHealthCheck check : all()) {
      if (check.isUncounted()) {
        selected.put(check, new ArrayList<>());
      }
    }
    if (selected.isEmpty()) {
      return;
    }
    for (NodeFacts node : nodes) {
      for (WatchedHealthCheck check : selecting(node)) {
        List<NodeFacts> own = selected.get(check);
        if (own != null) {
          own.add(node);
        }
      }
    }
    selected.forEach((check, own) -> check.count(own, now));
  }

  private SelectorIndex index() {
    if (index == null) {
      index = new SelectorIndex(all());
    }
    return index;
  }

  private void forgetSelected() {
    byNode.clear();
    index = null;
  }
}
