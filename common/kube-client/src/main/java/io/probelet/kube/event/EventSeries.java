package io.probelet.kube.event;

import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

/** One cause: how often it came, and how much of that has been written. */
final class EventSeries {
  private static final long FIRST_WAIT_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int MAX_DOUBLINGS = 4;

  /** Of a cause whose words keep changing, so many changes are written as they come. */
  private static final int MAX_REWORDINGS = 5;

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
  private String writtenForm = "";
  private int rewordings;

  /** A cause that has not come yet. */
  EventSeries(ApiEvent event, Instant now, long nanos) {
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
    if (!neverWritten() && rewordings < MAX_REWORDINGS && !form(as).equals(writtenForm)) {
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

  /** What goes first has the lower rank: kills, then what was never written, then counts. */
  int rank() {
    return (neverWritten() ? 0 : 2) + (urgent() ? 0 : 1);
  }

  boolean is(PendingEvent pending) {
    return name.equals(pending.name()) && first.equals(pending.first());
  }

  PendingEvent pending() {
    return new PendingEvent(event, name, before, count, first, last, neverWritten());
  }

  void written(PendingEvent pending, long nanos) {
    if (!neverWritten() && !form(pending.event()).equals(writtenForm)) {
      rewordings++;
    }
    writtenForm = form(pending.event());
    written = pending.count();
    dueAt = nanos + (FIRST_WAIT_NANOS << Math.min(writes++, MAX_DOUBLINGS));
  }

  /** Earlier processes wrote of the same cause so many times. */
  void continues(int times) {
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
