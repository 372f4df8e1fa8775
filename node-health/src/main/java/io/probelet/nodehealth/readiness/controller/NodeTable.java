package io.probelet.nodehealth.readiness.controller;

import io.probelet.health.TokenBucket;
import io.probelet.nodehealth.readiness.ReadinessNode;
import io.probelet.nodehealth.readiness.RuleReport.Failure;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All nodes, and the next one to decide about. A node that is neither waiting nor busy nor paused
 * is as the rules want it. Used only on the loop's thread.
 */
final class NodeTable {
  /** Further nodes are not handled, which is reported (NRR-12). */
  static final int MAX_NODES = 20_000;

  /** NRR-13: writes to one node at once; then one more after each {@link #REFILL}. */
  static final int BURST = 10;

  static final Duration REFILL = Duration.ofSeconds(6);

  private final Map<String, Entry> byName = new TreeMap<>();
  private final SequencedSet<Entry> waiting = new LinkedHashSet<>();
  private boolean full;

  /** One node. */
  static final class Entry {
    private ReadinessNode node;
    private String version;
    private boolean busy;
    private boolean paused;
    private int failures;
    private @Nullable Failure failure;
    private Set<String> failedRules = Set.of();
    private @Nullable TokenBucket writes;

    private Entry(ReadinessNode node, String version) {
      this.node = node;
      this.version = version;
    }

    ReadinessNode node() {
      return node;
    }

    String version() {
      return version;
    }

    @Nullable Failure failureOf(String rule) {
      return failedRules.contains(rule) ? failure : null;
    }

    /** {@return how many writes have failed in a row, with this one} */
    int failed() {
      return ++failures;
    }

    /** {@return whether the failure is another than the last one} */
    boolean failed(Failure why, Set<String> rules) {
      boolean news = !why.equals(failure) || !rules.equals(failedRules);
      failure = why;
      failedRules = rules;
      return news;
    }

    void succeeded() {
      failures = 0;
      failure = null;
      failedRules = Set.of();
    }

    /** Takes one of the writes that the node may have; false if it must wait. */
    private boolean mayWrite(long nanos) {
      if (writes == null) {
        writes = new TokenBucket(BURST, REFILL, nanos);
      }
      boolean may = writes.available(nanos) > 0;
      writes.take();
      return may;
    }
  }

  Collection<Entry> all() {
    return byName.values();
  }

  boolean isFull() {
    return full;
  }

  /** {@return whether a state of a node says something new} */
  boolean changed(ReadinessNode node, String version) {
    Entry known = byName.get(node.name());
    if (known != null && known.node.uid().equals(node.uid())) {
      boolean news = !known.node.equals(node);
      known.node = node;
      known.version = version;
      if (news) {
        touch(known);
      }
      return news;
    }
    if (known == null && byName.size() >= MAX_NODES) {
      full = true;
      return false;
    }
    Entry entry = new Entry(node, version);
    if (known != null) {
      waiting.remove(known);
    }
    byName.put(node.name(), entry);
    touch(entry);
    return true;
  }

  void gone(ReadinessNode node) {
    Entry known = byName.get(node.name());
    if (known != null && known.node.uid().equals(node.uid())) {
      byName.remove(node.name());
      waiting.remove(known);
      full = false; // until an unknown node is seen again
    }
  }

  boolean isKnown(Entry entry) {
    return byName.get(entry.node.name()) == entry;
  }

  void touch(Entry entry) {
    if (!entry.busy && !entry.paused && isKnown(entry)) {
      waiting.add(entry);
    }
  }

  void touchAll() {
    byName.values().forEach(this::touch);
  }

  /** The next node to decide about; null if there is none. */
  @Nullable Entry poll() {
    return waiting.isEmpty() ? null : waiting.removeFirst();
  }

  /** {@return whether a write may begin; otherwise the node must be paused} */
  boolean begin(Entry entry, long nanos) {
    entry.busy = entry.mayWrite(nanos);
    return entry.busy;
  }

  void end(Entry entry) {
    entry.busy = false;
    touch(entry);
  }

  void pause(Entry entry) {
    entry.paused = true;
    waiting.remove(entry);
  }

  void resume(Entry entry) {
    entry.paused = false;
    touch(entry);
  }

  /** {@return the nodes that may not yet be as the rules want them} */
  Stream<Entry> unsettled() {
    return byName.values().stream()
        .filter(entry -> entry.busy || entry.paused || waiting.contains(entry));
  }
}
