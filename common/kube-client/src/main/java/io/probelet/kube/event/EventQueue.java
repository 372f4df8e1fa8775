package io.probelet.kube.event;

import io.probelet.health.RetryBackoff;
import io.probelet.kube.event.ObjectEvents.Eviction;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides when Events are written. Occurrences of one cause form one Event with a count: it is
 * written immediately, then at most after 1, 2, 4 … 16 minutes. A changed message is written
 * immediately, a few times. Each object has its own budget ({@link EventLimits}); all objects share
 * a burst of {@value #BURST} writes plus one per second. Order: the namespace served longest ago;
 * within it kills, then new Events, then counts; then the object served longest ago. While kills
 * wait, every second write reserved for them goes to the next namespace in turn, so kills of one
 * namespace do not delay others, and noise delays a kill by one write. A namespace that rejects
 * writes waits separately. Times are nanoseconds of the monotonic clock. Not thread-safe.
 */
final class EventQueue {
  /** The most causes remembered, of all objects. */
  static final int MAX_CAUSES = 1000;

  /** The most objects remembered, including those without waiting Events. */
  static final int MAX_OBJECTS = 1000;

  static final int BURST = 100;
  private static final Duration REFILL = Duration.ofSeconds(1);

  private static final RetryBackoff NAMESPACE_BACKOFF =
      RetryBackoff.doubling(Duration.ofSeconds(1), Duration.ofSeconds(64));

  private final SequencedMap<InvolvedObject, ObjectEvents> objects = new LinkedHashMap<>();
  private final Map<String, Namespace> namespaces = new HashMap<>();
  private final Map<DropReason, Long> dropped = new EnumMap<>(DropReason.class);
  private final WriteBudget all;
  private long writes;
  private boolean killWritten;

  /**
   * The state of a namespace.
   *
   * @param servedAt when it was last served, as a count of writes; 0 before the first
   * @param held the last back-off because writes were rejected; zero if none
   * @param heldUntil the end of that back-off
   */
  private record Namespace(long servedAt, Duration held, long heldUntil) {
    static final Namespace NEW = new Namespace(0, Duration.ZERO, 0);

    boolean isHeld(long nanos) {
      return held.isPositive() && heldUntil - nanos > 0;
    }
  }

  /** A series that may be written, and its object. */
  private record Choice(ObjectEvents object, EventSeries series) {}

  /** Creates an empty queue. */
  EventQueue(long nanos) {
    all = new WriteBudget(BURST, REFILL, nanos);
  }

  /** Adds an occurrence; returns whether it is due immediately. */
  boolean add(ApiEvent event, Instant now, long nanos) {
    ObjectEvents object = objects.get(event.object().whole());
    if (object == null) {
      if (objects.size() >= MAX_OBJECTS) {
        forgetAnObject();
      }
      object = new ObjectEvents(event.object().whole(), nanos);
      objects.put(object.object(), object);
    }
    return (object.knows(event.cause()) || hasRoom(object, event)) && object.add(event, now, nanos);
  }

  private boolean hasRoom(ObjectEvents object, ApiEvent event) {
    Eviction own = event.urgent() ? Eviction.FIRST : Eviction.COUNT;
    if (object.isFull()) {
      return makeRoom(object, own, DropReason.OBJECT_FULL);
    }
    if (causes() < MAX_CAUSES) {
      return true;
    }
    ObjectEvents largest = largest();
    boolean same = largest.object().namespace().equals(object.object().namespace());
    return makeRoom(largest, same ? own : Eviction.KILL, DropReason.NODE_FULL);
  }

  private boolean makeRoom(ObjectEvents object, Eviction furthest, DropReason why) {
    EventSeries evicted = object.evict(furthest);
    if (evicted == null || evicted.waits()) {
      drop(why, 1);
    }
    return evicted != null;
  }

  private int causes() {
    return objects.values().stream().mapToInt(ObjectEvents::size).sum();
  }

  /**
   * The namespace with the most causes loses one: few causes of one tenant survive another's flood.
   */
  private ObjectEvents largest() {
    Map<String, Integer> perNamespace = new HashMap<>();
    objects
        .values()
        .forEach(each -> perNamespace.merge(each.object().namespace(), each.size(), Integer::sum));
    return objects.values().stream()
        .max(
            Comparator.comparingInt(
                    (ObjectEvents each) -> perNamespace.getOrDefault(each.object().namespace(), 0))
                .thenComparingInt(ObjectEvents::size))
        .orElseThrow();
  }

  /** The object served longest ago, preferably one without waiting Events. */
  private void forgetAnObject() {
    ObjectEvents forgotten =
        objects.values().stream()
            .min(
                Comparator.comparingLong(ObjectEvents::waiting)
                    .thenComparingLong(ObjectEvents::servedAt))
            .orElseThrow();
    drop(DropReason.NODE_FULL, forgotten.waiting());
    forget(forgotten);
  }

  /**
   * {@return the next event that may be written now; it stays in the queue until {@link #written}}
   */
  Optional<PendingEvent> next(long nanos) {
    boolean kills = all.allows(true, nanos);
    boolean others = all.allows(false, nanos) || (kills && killWritten && killsWait(nanos));
    return first(nanos, object -> object.ready(kills, others, nanos));
  }

  private boolean killsWait(long nanos) {
    return first(nanos, object -> object.ready(true, false, nanos)).isPresent();
  }

  /** {@return the next unwritten event regardless of budgets, for shutdown} */
  Optional<PendingEvent> unwritten(long nanos) {
    return first(nanos, ObjectEvents::unwritten);
  }

  private Optional<PendingEvent> first(
      long nanos, Function<ObjectEvents, Stream<EventSeries>> ready) {
    return objects.values().stream()
        .filter(object -> !namespace(object).isHeld(nanos))
        .flatMap(object -> choice(object, ready.apply(object)).stream())
        .min(
            Comparator.<Choice>comparingLong(choice -> namespace(choice.object()).servedAt())
                .thenComparingInt(choice -> choice.series().rank())
                .thenComparingLong(choice -> choice.object().servedAt()))
        .map(choice -> choice.series().pending());
  }

  private static Optional<Choice> choice(ObjectEvents object, Stream<EventSeries> ready) {
    return ready.min(ObjectEvents.FIRST_BY_RANK).map(series -> new Choice(object, series));
  }

  private Namespace namespace(ObjectEvents object) {
    return namespaces.getOrDefault(object.object().eventNamespace(), Namespace.NEW);
  }

  /** Records that an event was written. */
  void written(PendingEvent pending, long nanos) {
    all.spend();
    killWritten = pending.event().urgent();
    ObjectEvents object = find(pending);
    if (object != null) {
      writes++;
      namespaces.put(pending.namespace(), new Namespace(writes, Duration.ZERO, 0));
      object.written(pending, writes, nanos);
      forgetIfOver(object);
    }
  }

  /** Records that an event was rejected permanently. */
  void refused(PendingEvent pending, long nanos) {
    drop(DropReason.REFUSED, 1);
    written(pending, nanos);
  }

  /**
   * Records that the API server rejects writes into an event's namespace, for example because it is
   * terminating, its quota is used up, or permission is missing. Other namespaces continue.
   *
   * @return whether it is the first consecutive rejection
   */
  boolean refusedForNow(PendingEvent pending, long nanos) {
    Namespace before = namespaces.getOrDefault(pending.namespace(), Namespace.NEW);
    Duration wait = NAMESPACE_BACKOFF.after(before.held());
    namespaces.put(
        pending.namespace(), new Namespace(before.servedAt(), wait, nanos + wait.toNanos()));
    return before.held().isZero();
  }

  /** Records how often earlier processes have reported the cause. */
  void continues(PendingEvent pending, int times) {
    ObjectEvents object = find(pending);
    if (object != null) {
      object.continues(pending, times);
    }
  }

  /** Records that the event's name is taken; returns whether there is an alternative. */
  boolean taken(PendingEvent pending) {
    ObjectEvents object = find(pending);
    return object == null || object.taken(pending);
  }

  /** Records that the event no longer exists and must be created again. */
  void lost(PendingEvent pending) {
    ObjectEvents object = find(pending);
    if (object != null) {
      object.lost(pending);
    }
  }

  private @Nullable ObjectEvents find(PendingEvent pending) {
    return objects.get(pending.event().object().whole());
  }

  /** Drops an object that is gone, except for Events never written. */
  void gone(InvolvedObject gone) {
    ObjectEvents object = objects.get(gone.whole());
    if (object != null) {
      drop(DropReason.GONE, object.gone());
      forgetIfOver(object);
    }
  }

  private void forgetIfOver(ObjectEvents object) {
    if (object.isOver()) {
      forget(object);
    }
  }

  private void forget(ObjectEvents object) {
    objects.remove(object.object());
    String namespace = object.object().eventNamespace();
    if (objects.keySet().stream().noneMatch(each -> each.eventNamespace().equals(namespace))) {
      namespaces.remove(namespace);
    }
  }

  private void drop(DropReason why, long occurrences) {
    dropped.merge(why, occurrences, Long::sum);
  }

  /** {@return the number of events that wait to be written or updated} */
  long waiting() {
    return objects.values().stream().mapToLong(ObjectEvents::waiting).sum();
  }

  /** {@return how many events, or counts of them, were dropped for this reason} */
  long dropped(DropReason why) {
    return dropped.getOrDefault(why, 0L);
  }
}
