package io.probelet.agent.cluster.publish;

import io.probelet.agent.cluster.publish.ApiEvent.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides which events are written when. The same cause is one event with a count: written at once,
 * then at most after 1, 2, 4 … 16 minutes, however often it comes. All causes together have 50
 * writes at hand and get one more every 10 s. Times are nanoseconds of the monotonic clock. Not
 * safe for use by several threads.
 */
final class EventBook {
  /** The causes that are remembered; of more the oldest is forgotten. */
  static final int MOST_CAUSES = 1000;

  private static final int BURST = 50;
  private static final long REFILL_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long FIRST_WAIT_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int MOST_DOUBLINGS = 4;

  private final SequencedMap<Cause, Entry> entries = new LinkedHashMap<>();
  private long tokens = BURST;
  private long refilledAt;
  private long forgotten;

  /** One event as it is to be written. */
  record Writing(
      ApiEvent event, String name, int count, Instant first, Instant last, boolean create) {}

  /** One cause: how often it came, and how much of that has been written. */
  private static final class Entry {
    private final Instant first;
    private final String name;
    private ApiEvent event;
    private Instant last;
    private int count;
    private int written;
    private int writes;
    private long dueAt;

    Entry(ApiEvent event, Instant now, long nanos) {
      this.event = event;
      this.first = now;
      this.last = now;
      this.dueAt = nanos;
      // No other event has it, not even one of an earlier life of this agent: that began earlier.
      this.name =
          event.subject().name()
              + "."
              + Long.toHexString(now.getEpochSecond() * 1_000_000_000L + now.getNano())
              + Integer.toHexString(event.cause().hashCode());
    }

    Writing writing() {
      return new Writing(event, name, count, first, last, written == 0);
    }
  }

  /** Creates an empty book. */
  EventBook(long nanos) {
    refilledAt = nanos;
  }

  /** Takes one occurrence. */
  void add(ApiEvent event, Instant now, long nanos) {
    Entry entry = entries.get(event.cause());
    if (entry == null) {
      if (entries.size() >= MOST_CAUSES) {
        entries.pollFirstEntry();
        forgotten++;
      }
      entry = new Entry(event, now, nanos);
      entries.put(event.cause(), entry);
    }
    entry.event = event;
    entry.last = now;
    entry.count++;
  }

  /**
   * {@return the next event that may be written now; it stays in the book until {@link #written}}
   */
  Optional<Writing> next(long nanos) {
    refill(nanos);
    if (tokens == 0) {
      return Optional.empty();
    }
    return entries.values().stream()
        .filter(entry -> entry.count > entry.written && entry.dueAt - nanos <= 0)
        .findFirst()
        .map(Entry::writing);
  }

  private void refill(long nanos) {
    long more = (nanos - refilledAt) / REFILL_NANOS;
    tokens = Math.min(BURST, tokens + more);
    refilledAt += more * REFILL_NANOS;
  }

  /** Takes that an event was written, or can never be. */
  void written(Writing writing, long nanos) {
    Entry entry = entry(writing);
    if (entry != null) {
      entry.written = writing.count();
      entry.dueAt = nanos + (FIRST_WAIT_NANOS << Math.min(entry.writes++, MOST_DOUBLINGS));
    }
    tokens = Math.max(0, tokens - 1);
  }

  /** Takes that the event exists no more, so that it must be created anew. */
  void lost(Writing writing) {
    Entry entry = entry(writing);
    if (entry != null) {
      entry.written = 0;
    }
  }

  /** Null if the cause has been forgotten since, though it may have come again. */
  private @Nullable Entry entry(Writing writing) {
    Entry entry = entries.get(writing.event().cause());
    return entry != null && entry.name.equals(writing.name()) ? entry : null;
  }

  /** {@return how many occurrences were never written because there were too many causes} */
  long forgotten() {
    return forgotten;
  }

  /** Forgets the causes of an object that is gone, but for what has not been written at all. */
  void gone(String uid) {
    entries
        .values()
        .removeIf(entry -> entry.event.subject().uid().equals(uid) && entry.count == entry.written);
  }
}
