package io.probelet.agent.cluster.publish;

import io.probelet.agent.cluster.publish.EventBook.Writing;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

/** One cause: how often it came, and how much of that has been written. */
final class EventEntry {
  private static final long FIRST_WAIT_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int MAX_DOUBLINGS = 4;

  /** Of a cause whose words keep changing, so many changes are told as they come. */
  private static final int MAX_CHANGES = 5;

  private static final Pattern NUMBER = Pattern.compile("[0-9]+");

  private final Instant first;
  private String name;
  private ApiEvent event;
  private Instant last;
  private int before;
  private int count;
  private int written;
  private int writes;
  private long dueAt;
  private String told = "";
  private int changes;

  /** A cause that has not come yet. */
  EventEntry(ApiEvent event, Instant now, long nanos) {
    this.event = event;
    this.first = now;
    this.last = now;
    this.dueAt = nanos;
    this.name = EventName.of(event);
  }

  void again(ApiEvent as, Instant now, long nanos) {
    event = as;
    last = now;
    count++;
    if (!neverWritten() && changes < MAX_CHANGES && !form(as).equals(told)) {
      dueAt = nanos; // it fails for another reason by now, which somebody may wait to see
    }
  }

  /** The words without what differs each time. */
  private static String form(ApiEvent event) {
    return NUMBER.matcher(event.message()).replaceAll("0");
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
    if (!neverWritten() && !form(writing.event()).equals(told)) {
      changes++;
    }
    told = form(writing.event());
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
