package io.probelet.kube.event;

import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

/** The occurrences of one cause, and how many of them have been written. */
final class EventSeries {
  private static final long FIRST_WAIT_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int MAX_DOUBLINGS = 4;

  /** The most immediate writes for a cause with changing messages. */
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

  /** A cause without an occurrence. */
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
      dueAt = nanos; // the message changed, which users may be waiting to see
    }
  }

  /** The message without its varying parts. */
  private static String form(ApiEvent event) {
    return NUMBER.matcher(event.message()).replaceAll("0");
  }

  /** Whether an occurrence has not been written. */
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

  /** The rank; lower ranks are written first: kills, then new Events, then counts. */
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

  /** Sets the count written by earlier processes. */
  void continues(int times) {
    before = times;
  }

  /** Records that its name is taken; returns false if there is no alternative. */
  boolean rename() {
    String unique = EventName.unique(event, first);
    boolean another = !unique.equals(name);
    name = unique;
    return another;
  }

  /** Records that the API server no longer has it. */
  void lost() {
    written = 0;
  }
}
