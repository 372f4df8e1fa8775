package io.probelet.agent.cluster.publish;

import io.probelet.agent.cluster.publish.ApiEvent.Cause;
import io.probelet.agent.cluster.publish.EventBook.Writing;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is told of one pod or node, and the writes it has at hand. */
final class EventObject {
  private final EventSubject subject;
  private final EventLimits limits;
  private final WriteBudget budget;
  private final SequencedMap<Cause, EventEntry> entries = new LinkedHashMap<>();
  private boolean gone;
  private long servedAt;

  EventObject(EventSubject subject, long nanos) {
    this.subject = subject;
    limits = EventLimits.of(subject);
    budget = new WriteBudget(limits.burst(), limits.refill(), nanos);
  }

  EventSubject subject() {
    return subject;
  }

  /** When it was served last, counted in writings; 0 before the first. */
  long servedAt() {
    return servedAt;
  }

  int size() {
    return entries.size();
  }

  long waiting() {
    return entries.values().stream().filter(EventEntry::waits).count();
  }

  boolean knows(Cause cause) {
    return entries.containsKey(cause);
  }

  boolean isFull() {
    return entries.size() >= limits.causes();
  }

  /** Whether nothing is lost when it is forgotten. */
  boolean isOver() {
    return gone && entries.isEmpty();
  }

  /** Takes one occurrence and tells whether it is due at once. */
  boolean add(ApiEvent event, Instant now, long nanos) {
    EventEntry entry =
        entries.computeIfAbsent(event.cause(), _ -> new EventEntry(event, now, nanos));
    entry.again(event, now, nanos);
    return entry.due(nanos);
  }

  /** Takes out the oldest entry that may go for the sake of another; null if there is none. */
  @Nullable EventEntry evict(Eviction furthest) {
    for (Eviction step : Eviction.values()) {
      EventEntry evicted = step.compareTo(furthest) <= 0 ? remove(step::takes) : null;
      if (evicted != null) {
        return evicted;
      }
    }
    return null;
  }

  /** What may go, the least loss first. */
  enum Eviction {
    WRITTEN,
    COUNT,
    FIRST,
    KILL;

    private boolean takes(EventEntry entry) {
      return switch (this) {
        case WRITTEN -> !entry.waits();
        case COUNT -> !entry.neverWritten();
        case FIRST -> !entry.urgent();
        case KILL -> true;
      };
    }
  }

  private @Nullable EventEntry remove(Predicate<EventEntry> which) {
    for (Map.Entry<Cause, EventEntry> each : entries.entrySet()) {
      if (which.test(each.getValue())) {
        return entries.remove(each.getKey());
      }
    }
    return null;
  }

  /** What may be written of it now. */
  Stream<EventEntry> ready(WriteBudget all, long nanos) {
    boolean some = budget.allows(false, nanos) && all.allows(false, nanos);
    boolean kills = budget.allows(true, nanos) && all.allows(true, nanos);
    return entries.values().stream()
        .filter(entry -> entry.due(nanos) && (entry.urgent() ? kills : some));
  }

  /** What has not been written of it, whatever its budget. */
  Stream<EventEntry> unwritten() {
    return entries.values().stream().filter(EventEntry::waits);
  }

  void written(Writing writing, long serial, long nanos) {
    servedAt = serial;
    budget.spend();
    EventEntry entry = entry(writing);
    if (entry == null) {
      return;
    }
    entry.written(writing, nanos);
    if (gone) {
      entries.remove(writing.event().cause());
    }
  }

  void goesOn(Writing writing, int times) {
    EventEntry entry = entry(writing);
    if (entry != null) {
      entry.goesOn(times);
    }
  }

  boolean taken(Writing writing) {
    EventEntry entry = entry(writing);
    return entry == null || entry.rename();
  }

  void lost(Writing writing) {
    EventEntry entry = entry(writing);
    if (entry != null) {
      entry.lost();
    }
  }

  /** Null if the cause has been forgotten since, though it may have come again. */
  private @Nullable EventEntry entry(Writing writing) {
    EventEntry entry = entries.get(writing.event().cause());
    return entry != null && entry.is(writing) ? entry : null;
  }

  /** Forgets all but what nobody has been told at all; returns how many counts are dropped. */
  long gone() {
    gone = true;
    long counts =
        entries.values().stream().filter(entry -> entry.waits() && !entry.neverWritten()).count();
    entries.values().removeIf(entry -> !entry.neverWritten());
    return counts;
  }

  /** By rank, then in the order in which causes came. */
  static final Comparator<EventEntry> FIRST_BY_RANK = Comparator.comparingInt(EventEntry::rank);
}
