package io.probelet.nodehealth.controller;

import io.probelet.nodehealth.maintenance.NodeMaintenance;
import io.probelet.nodehealth.maintenance.NodeMaintenance.Window;
import io.probelet.nodehealth.remediation.NodeFacts;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes are in maintenance, for plans, metrics and agents. Used only on the loop's thread,
 * unless stated otherwise.
 */
final class MaintainedNodes {
  private final WatchedMaintenances maintenances;
  private final MaintenanceNotes notes;
  private final ClusterCache cache;
  private final BooleanSupplier known;
  private final RemediationListener listener;
  private final TreeSet<String> active = new TreeSet<>();
  private boolean news;

  /**
   * Starts without Maintenances.
   *
   * @param known whether all Maintenances are known; before that nothing is written
   */
  MaintainedNodes(
      WatchedMaintenances maintenances,
      MaintenanceNotes notes,
      ClusterCache cache,
      BooleanSupplier known,
      RemediationListener listener) {
    this.maintenances = maintenances;
    this.notes = notes;
    this.cache = cache;
    this.known = known;
    this.listener = listener;
  }

  /** {@return a node as read, with what the Maintenances say about it} */
  NodeFacts mark(NodeFacts read, @Nullable NodeFacts before, Instant now) {
    NodeMaintenance maintenance =
        maintenances.of(read.labels(), before == null ? null : before.maintenance(), now);
    boolean on = maintenance instanceof Window window && window.isOnAt(now);
    news |= on ? active.add(read.name()) : active.remove(read.name());
    return read.withMaintenance(maintenance);
  }

  /** Marks a node that was read again; may be called by any thread. */
  NodeFacts markAgain(NodeFacts read, @Nullable NodeMaintenance before, Instant now) {
    return read.withMaintenance(maintenances.of(read.labels(), before, now));
  }

  /**
   * Applies a new or changed node.
   *
   * @param before its state so far; null if it is new
   */
  void changed(@Nullable NodeFacts before, NodeFacts node, Instant now) {
    maintenances.count(before, node);
    if (known.getAsBoolean()) {
      notes.check(node, now);
    }
  }

  void gone(NodeFacts node) {
    news |= active.remove(node.name());
    maintenances.count(node, null);
    notes.gone(node.name());
  }

  /**
   * Marks all nodes again if Maintenances begin, end or changed, and writes what is to be written.
   *
   * @param listed whether all nodes are known
   * @param changed receives each node that is marked otherwise, before and now
   */
  void work(Instant now, boolean listed, BiConsumer<NodeFacts, NodeFacts> changed) {
    if (!known.getAsBoolean() || !listed) {
      return;
    }
    if (maintenances.refresh(now)) {
      for (NodeFacts before : List.copyOf(cache.nodes())) {
        NodeFacts node = mark(before, before, now);
        maintenances.count(null, node);
        if (cache.observe(node)) {
          changed.accept(before, node);
        }
        notes.check(node, now);
      }
    }
    if (news) {
      news = false;
      listener.inMaintenance(active);
    }
    maintenances.writeStatuses(now);
    notes.send();
  }
}
