package io.probelet.agent.cluster.publish;

import io.probelet.agent.cluster.publish.EventBook.Writing;
import java.time.Duration;
import java.time.Instant;

/** One cause: how often it came, and how much of that has been written. */
final class EventEntry {
  private static final long FIRST_WAIT_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int MAX_DOUBLINGS = 4;

  private final Instant first;
  private String name;
  private ApiEvent event;
  private Instant last;
  private int before;
  private int count;
  private int written;
  private int writes;
  private long dueAt;

  /** A cause that has not come yet. */
  EventEntry(ApiEvent event, Instant now, long nanos) {
    this.event = event;
    this.first = now;
    this.last = now;
    this.dueAt = nanos;
    this.name = EventName.of(event);
  }

  void again(ApiEvent as, Instant now) {
    event = as;
    last = now;
    count++;
  }

  /** Whether something of it has not been written. */
  boolean waits() {
    return count > written;
  }

  boolean neverWritten() {
    return written == 0;
  }

  boolean urgent() {
    return event.urgent();
  }

  boolean due(long nanos) {
    return waits() && dueAt - nanos <= 0;
  }

  /** What goes first has the lower rank: kills, then what was never told, then counts. */
  int rank() {
    return (neverWritten() ? 0 : 2) + (urgent() ? 0 : 1);
  }

  boolean is(Writing writing) {
    return name.equals(writing.name()) && first.equals(writing.first());
  }

  Writing writing() {
    return new Writing(event, name, before, count, first, last, neverWritten());
  }

  void written(Writing writing, long nanos) {
    written = writing.count();
    dueAt = nanos + (FIRST_WAIT_NANOS << Math.min(writes++, MAX_DOUBLINGS));
  }

  /** An earlier life of this agent told of the same cause so many times. */
  void goesOn(int times) {
    before = times;
  }

  /** Its name is somebody else's; false if it has no other any more. */
  boolean rename() {
    String unique = EventName.unique(event, first);
    boolean another = !unique.equals(name);
    name = unique;
    return another;
  }

  /** The API server has it no more. */
  void lost() {
    written = 0;
  }
}
