package io.probelet.kube.event;

import io.probelet.kube.event.ApiEvent.Cause;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The Events of one object, and its write budget. */
final class ObjectEvents {
  private final InvolvedObject object;
  private final EventLimits limits;
  private final WriteBudget budget;
  private final SequencedMap<Cause, EventSeries> series = new LinkedHashMap<>();
  private boolean gone;
  private long servedAt;

  ObjectEvents(InvolvedObject object, long nanos) {
    this.object = object;
    limits = EventLimits.of(object);
    budget = new WriteBudget(limits.burst(), limits.refill(), nanos);
  }

  InvolvedObject object() {
    return object;
  }

  /** When it was last served, as a count of writes; 0 before the first. */
  long servedAt() {
    return servedAt;
  }

  int size() {
    return series.size();
  }

  long waiting() {
    return series.values().stream().filter(EventSeries::waits).count();
  }

  boolean knows(Cause cause) {
    return series.containsKey(cause);
  }

  boolean isFull() {
    return series.size() >= limits.causes();
  }

  /** Whether it can be dropped without losing an Event. */
  boolean isOver() {
    return gone && series.isEmpty();
  }

  /** Adds an occurrence; returns whether it is due immediately. */
  boolean add(ApiEvent event, Instant now, long nanos) {
    EventSeries one =
        series.computeIfAbsent(event.cause(), _ -> new EventSeries(event, now, nanos));
    one.again(event, now, nanos);
    return one.due(nanos);
  }

  /** Removes the oldest series that may be dropped for another; null if there is none. */
  @Nullable EventSeries evict(Eviction furthest) {
    for (Eviction step : Eviction.values()) {
      EventSeries evicted = step.compareTo(furthest) <= 0 ? remove(step::takes) : null;
      if (evicted != null) {
        return evicted;
      }
    }
    return null;
  }

  /** The series that may be dropped, the least important first. */
  enum Eviction {
    WRITTEN,
    COUNT,
    FIRST,
    KILL;

    private boolean takes(EventSeries one) {
      return switch (this) {
        case WRITTEN -> !one.waits();
        case COUNT -> !one.neverWritten();
        case FIRST -> !one.urgent();
        case KILL -> true;
      };
    }
  }

  private @Nullable EventSeries remove(Predicate<EventSeries> which) {
    for (Map.Entry<Cause, EventSeries> each : series.entrySet()) {
      if (which.test(each.getValue())) {
        return series.remove(each.getKey());
      }
    }
    return null;
  }

  /**
   * The series that may be written now, given whether the shared budget allows kills and others.
   */
  Stream<EventSeries> ready(boolean kills, boolean others, long nanos) {
    boolean killsOfIt = kills && budget.allows(true, nanos);
    boolean othersOfIt = others && budget.allows(false, nanos);
    return series.values().stream()
        .filter(one -> one.due(nanos) && (one.urgent() ? killsOfIt : othersOfIt));
  }

  /** Its next unwritten series, regardless of budget. */
  Stream<EventSeries> unwritten() {
    return series.values().stream().filter(EventSeries::waits);
  }

  void written(PendingEvent pending, long serial, long nanos) {
    servedAt = serial;
    budget.spend();
    EventSeries one = find(pending);
    if (one == null) {
      return;
    }
    one.written(pending, nanos);
    if (gone) {
      series.remove(pending.event().cause());
    }
  }

  void continues(PendingEvent pending, int times) {
    EventSeries one = find(pending);
    if (one != null) {
      one.continues(times);
    }
  }

  boolean taken(PendingEvent pending) {
    EventSeries one = find(pending);
    return one == null || one.rename();
  }

  void lost(PendingEvent pending) {
    EventSeries one = find(pending);
    if (one != null) {
      one.lost();
    }
  }

  /** Null if the cause was dropped since, even if it occurred again. */
  private @Nullable EventSeries find(PendingEvent pending) {
    EventSeries one = series.get(pending.event().cause());
    return one != null && one.is(pending) ? one : null;
  }

  /** Drops all but Events never written; returns the number of dropped counts. */
  long gone() {
    gone = true;
    long counts =
        series.values().stream().filter(one -> one.waits() && !one.neverWritten()).count();
    series.values().removeIf(one -> !one.neverWritten());
    return counts;
  }

  /** By rank, then by first occurrence. */
  static final Comparator<EventSeries> FIRST_BY_RANK = Comparator.comparingInt(EventSeries::rank);
}
