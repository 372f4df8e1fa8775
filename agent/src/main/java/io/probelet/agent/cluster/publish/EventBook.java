package io.probelet.agent.cluster.publish;

import io.probelet.agent.cluster.publish.EventObject.Eviction;
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
 * Decides which events are written when. The same cause is one event with a count: written at once,
 * then at most after 1, 2, 4 … 16 minutes, however often it comes; other words for it are written
 * at once, a few times. Each object has a budget of its own ({@link EventLimits}), and all share
 * {@value #NODE_BURST} writes at hand and one more every second. Kills go first, then what was
 * never told, then counts; among equals the namespace that was served longest ago goes first, and
 * in it the object that was. Times are nanoseconds of the monotonic clock. Not safe for use by
 * several threads.
 */
final class EventBook {
  /** The causes that are remembered of all objects. */
  static final int MAX_CAUSES = 1000;

  /** The objects that are remembered, those about which nothing waits included. */
  static final int MAX_OBJECTS = 1000;

  static final int NODE_BURST = 100;
  private static final Duration NODE_REFILL = Duration.ofSeconds(1);

  private final SequencedMap<EventSubject, EventObject> objects = new LinkedHashMap<>();
  private final Map<String, Long> namespaceServedAt = new HashMap<>();
  private final Map<EventDrop, Long> dropped = new EnumMap<>(EventDrop.class);
  private final WriteBudget all;
  private long writings;

  /**
   * One event as it is to be written.
   *
   * @param before how often an earlier life of this agent told of the cause
   * @param count how often it came in this life
   * @param create whether the API server has it not yet, for all that is known
   */
  record Writing(
      ApiEvent event,
      String name,
      int before,
      int count,
      Instant first,
      Instant last,
      boolean create) {}

  /** What may be written, and of which object. */
  private record Choice(EventObject object, EventEntry entry) {}

  /** Creates an empty book. */
  EventBook(long nanos) {
    all = new WriteBudget(NODE_BURST, NODE_REFILL, nanos);
  }

  /** Takes one occurrence and tells whether it is due at once. */
  boolean add(ApiEvent event, Instant now, long nanos) {
    EventObject object = objects.get(event.subject().whole());
    if (object == null) {
      if (objects.size() >= MAX_OBJECTS) {
        forgetAnObject();
      }
      object = new EventObject(event.subject().whole(), nanos);
      objects.put(object.subject(), object);
    }
    return (object.knows(event.cause()) || hasRoom(object, event)) && object.add(event, now, nanos);
  }

  private boolean hasRoom(EventObject object, ApiEvent event) {
    Eviction own = event.urgent() ? Eviction.FIRST : Eviction.COUNT;
    if (object.isFull()) {
      return makeRoom(object, own, EventDrop.OBJECT_FULL);
    }
    if (causes() < MAX_CAUSES) {
      return true;
    }
    EventObject largest = largest();
    boolean same = largest.subject().namespace().equals(object.subject().namespace());
    return makeRoom(largest, same ? own : Eviction.KILL, EventDrop.NODE_FULL);
  }

  private boolean makeRoom(EventObject object, Eviction furthest, EventDrop why) {
    EventEntry evicted = object.evict(furthest);
    if (evicted == null || evicted.waits()) {
      drop(why, 1);
    }
    return evicted != null;
  }

  private int causes() {
    return objects.values().stream().mapToInt(EventObject::size).sum();
  }

  /** The namespace that has most gives way: a few honest causes outlast a flood of another's. */
  private EventObject largest() {
    Map<String, Integer> perNamespace = new HashMap<>();
    objects
        .values()
        .forEach(each -> perNamespace.merge(each.subject().namespace(), each.size(), Integer::sum));
    return objects.values().stream()
        .max(
            Comparator.comparingInt(
                    (EventObject each) -> perNamespace.getOrDefault(each.subject().namespace(), 0))
                .thenComparingInt(EventObject::size))
        .orElseThrow();
  }

  /** The one that was served longest ago, if possible one about which nothing waits. */
  private void forgetAnObject() {
    EventObject forgotten =
        objects.values().stream()
            .min(
                Comparator.comparingLong(EventObject::waiting)
                    .thenComparingLong(EventObject::servedAt))
            .orElseThrow();
    drop(EventDrop.NODE_FULL, forgotten.waiting());
    objects.remove(forgotten.subject());
  }

  /**
   * {@return the next event that may be written now; it stays in the book until {@link #written}}
   */
  Optional<Writing> next(long nanos) {
    return first(object -> object.ready(all, nanos));
  }

  /** {@return the next event that has not been written, whatever the budgets; for the very end} */
  Optional<Writing> unwritten() {
    return first(EventObject::unwritten);
  }

  private Optional<Writing> first(Function<EventObject, Stream<EventEntry>> ready) {
    return objects.values().stream()
        .flatMap(object -> choice(object, ready.apply(object)).stream())
        .min(
            Comparator.<Choice>comparingInt(choice -> choice.entry().rank())
                .thenComparingLong(choice -> servedAt(choice.object().subject().namespace()))
                .thenComparingLong(choice -> choice.object().servedAt()))
        .map(choice -> choice.entry().writing());
  }

  private static Optional<Choice> choice(EventObject object, Stream<EventEntry> ready) {
    return ready.min(EventObject.FIRST_BY_RANK).map(entry -> new Choice(object, entry));
  }

  private long servedAt(String namespace) {
    return namespaceServedAt.getOrDefault(namespace, 0L);
  }

  /** Takes that an event was written. */
  void written(Writing writing, long nanos) {
    all.spend();
    EventObject object = object(writing);
    if (object != null) {
      writings++;
      namespaceServedAt.put(object.subject().namespace(), writings);
      object.written(writing, writings, nanos);
      forgetIfOver(object);
    }
  }

  /** Takes that an event can never be written. */
  void refused(Writing writing, long nanos) {
    drop(EventDrop.REFUSED, 1);
    written(writing, nanos);
  }

  /** Takes that an earlier life of this agent told of the cause so many times. */
  void goesOn(Writing writing, int times) {
    EventObject object = object(writing);
    if (object != null) {
      object.goesOn(writing, times);
    }
  }

  /** Takes that something else has the event's name, and tells whether there is another for it. */
  boolean taken(Writing writing) {
    EventObject object = object(writing);
    return object == null || object.taken(writing);
  }

  /** Takes that the event exists no more, so that it must be created anew. */
  void lost(Writing writing) {
    EventObject object = object(writing);
    if (object != null) {
      object.lost(writing);
    }
  }

  private @Nullable EventObject object(Writing writing) {
    return objects.get(writing.event().subject().whole());
  }

  /** Forgets an object that is gone, but for what has not been told at all. */
  void gone(EventSubject subject) {
    EventObject object = objects.get(subject.whole());
    if (object != null) {
      drop(EventDrop.GONE, object.gone());
      forgetIfOver(object);
    }
  }

  private void forgetIfOver(EventObject object) {
    if (object.isOver()) {
      objects.remove(object.subject());
      String namespace = object.subject().namespace();
      if (objects.keySet().stream().noneMatch(each -> each.namespace().equals(namespace))) {
        namespaceServedAt.remove(namespace);
      }
    }
  }

  private void drop(EventDrop why, long occurrences) {
    dropped.merge(why, occurrences, Long::sum);
  }

  /** {@return how many events wait for being written, or for being written again} */
  long waiting() {
    return objects.values().stream().mapToLong(EventObject::waiting).sum();
  }

  /** {@return how many events, or counts of them, were dropped for this reason} */
  long dropped(EventDrop why) {
    return dropped.getOrDefault(why, 0L);
  }
}
