package io.probelet.remediator.controller;

import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.remediator.decide.ActionHold;
import io.probelet.remediator.decide.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All remediations and the next one to reconcile, one at a time for each node (ACT-3). Used only on
 * the loop's thread.
 */
final class RequestTable {
  /** Limit; further remediations are ignored until others are deleted. */
  static final int MAX_REQUESTS = 5_000;

  private static final String BUSY = "NodeBusy";

  private static final Comparator<Entry> AGE =
      Comparator.<Entry, Instant>comparing(entry -> entry.seen.created())
          .thenComparing(entry -> entry.seen.uid());

  private final Map<String, Entry> byRef = new TreeMap<>();
  private final Map<String, Map<String, Entry>> byNode = new HashMap<>();

  /** One remediation. */
  static final class Entry {
    private SeenRequest seen;
    private boolean taking;
    private boolean touched = true;
    private long due;
    private boolean timed;
    private int failures;
    private boolean uncertain;
    private String trouble = "";
    private boolean rightMissing;
    private List<Outcome> outcomes = List.of();

    private Entry(SeenRequest seen) {
      this.seen = seen;
    }

    SeenRequest seen() {
      return seen;
    }

    List<Outcome> outcomes() {
      return outcomes;
    }

    String trouble() {
      return trouble;
    }

    boolean rightMissing() {
      return rightMissing;
    }

    int failures() {
      return failures;
    }

    private boolean isDue(long now) {
      return !taking && ((touched && failures == 0) || (timed && due - now <= 0));
    }
  }

  Collection<Entry> all() {
    return byRef.values();
  }

  /**
   * Stores an object from a watch, unless a newer version is known.
   *
   * @return false if there are too many already
   */
  boolean changed(SeenRequest seen) {
    Entry known = byRef.get(key(seen.ref()));
    if (known == null) {
      if (byRef.size() >= MAX_REQUESTS) {
        return false;
      }
      add(seen);
    } else if (!known.seen.uid().equals(seen.uid()) || !known.seen.node().equals(seen.node())) {
      remove(known);
      Entry another = add(seen);
      another.taking = known.taking; // a turn that is under way is of the earlier one
    } else if (!known.seen.isNewerThan(seen)) {
      known.seen = seen;
      known.touched = true;
    }
    touchNode(seen.node());
    return true;
  }

  void gone(SeenRequest seen) {
    Entry known = byRef.get(key(seen.ref()));
    if (known != null && known.seen.uid().equals(seen.uid())) {
      remove(known);
      touchNode(seen.node());
    }
  }

  /** Something about a node's order has changed. */
  void touchNode(String node) {
    byNode.getOrDefault(node, Map.of()).values().forEach(entry -> entry.touched = true);
  }

  void touchAll() {
    byRef.values().forEach(entry -> entry.touched = true);
  }

  /** The next remediation that is due and whose node is free; null if there is none. */
  @Nullable Entry next(long now) {
    for (Entry entry : byRef.values()) {
      if (entry.isDue(now) && isFree(entry)) {
        return entry;
      }
    }
    return null;
  }

  private boolean isFree(Entry entry) {
    return byNode.getOrDefault(entry.seen.node(), Map.of()).values().stream()
        .noneMatch(other -> other.taking);
  }

  /** Time until the next remediation is due; null if none is scheduled. */
  @Nullable Duration untilNext(long now) {
    Duration least = null;
    for (Entry entry : byRef.values()) {
      if (entry.timed && isFree(entry)) {
        Duration wait = Duration.ofNanos(Math.max(0, entry.due - now));
        least = least == null || wait.compareTo(least) < 0 ? wait : least;
      }
    }
    return least;
  }

  /** Why the node is not free for a waiting remediation: an older or running one goes first. */
  Optional<ActionHold> busy(Entry entry) {
    if (!entry.seen.isWaiting()) {
      return Optional.empty();
    }
    Collection<Entry> others = byNode.getOrDefault(entry.seen.node(), Map.of()).values();
    return others.stream()
        .filter(other -> other != entry && (other.uncertain || other.seen.isInForce()))
        .min(AGE)
        .or(() ->
            others.stream()
                .filter(other ->
                    other != entry && other.seen.isWaiting() && AGE.compare(other, entry) < 0)
                .min(AGE))
        .map(other ->
            new ActionHold(
                BUSY,
                "node %s is being remediated by %s; one remediation per node at a time"
                    .formatted(entry.seen.node(), other.seen.ref())));
  }

  void begin(Entry entry) {
    entry.taking = true;
    entry.touched = false;
    entry.timed = false;
  }

  /**
   * Stores the result of a reconciliation.
   *
   * @param pause how long to wait after a turn that was not completed
   */
  void ended(Entry entry, RemediationReconcile.Result result, long now, Duration pause) {
    entry.taking = false;
    Entry current = byRef.get(key(entry.seen.ref()));
    if (current != entry) { // it went, or another of its name came meanwhile
      if (current != null) {
        current.taking = false;
      }
      touchNode(entry.seen.node());
      return;
    }
    SeenRequest seen = result.seen();
    if (seen == null) {
      remove(entry);
      touchNode(entry.seen.node());
      return;
    }
    entry.outcomes = result.outcomes();
    entry.trouble = result.trouble();
    entry.rightMissing = result.rightMissing();
    entry.uncertain = result.uncertain();
    if (result.trouble().isEmpty()) {
      entry.failures = 0;
      result.again().ifPresent(again -> set(entry, now, again));
    } else {
      entry.failures++;
      set(entry, now, pause);
    }
    if (!seen.uid().equals(entry.seen.uid()) || !seen.node().equals(entry.seen.node())) {
      var _ = changed(seen);
      return;
    }
    boolean moved = seen.status().phase() != entry.seen.status().phase();
    if (!entry.seen.isNewerThan(seen)) {
      entry.seen = seen;
    }
    if (moved) {
      byNode.getOrDefault(seen.node(), Map.of()).values().stream()
          .filter(other -> other != entry)
          .forEach(other -> other.touched = true);
    }
  }

  private static void set(Entry entry, long now, Duration after) {
    entry.timed = true;
    entry.due = now + after.toNanos();
  }

  private Entry add(SeenRequest seen) {
    Entry entry = new Entry(seen);
    byRef.put(key(seen.ref()), entry);
    byNode.computeIfAbsent(seen.node(), _ -> new TreeMap<>()).put(key(seen.ref()), entry);
    return entry;
  }

  private void remove(Entry entry) {
    byRef.remove(key(entry.seen.ref()));
    byNode.computeIfPresent(
        entry.seen.node(),
        (_, entries) -> {
          entries.remove(key(entry.seen.ref()));
          return entries.isEmpty() ? null : entries;
        });
  }

  private static String key(ObjectRef ref) {
    return ref.kind() + "/" + ref.namespace() + "/" + ref.name();
  }
}
