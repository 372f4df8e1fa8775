package io.probelet.probe.engine;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks that wait in the order in which they came; any of them can be called off at no cost,
 * however many there are. Lives on one loop.
 */
final class TimerList {
  private static final Logger LOG = LoggerFactory.getLogger(TimerList.class);

  private @Nullable Entry first;
  private @Nullable Entry last;

  /** One task that waits. */
  final class Entry implements ProbeLoop.Timer {
    private final long due;
    private final Runnable task;
    private @Nullable Entry before;
    private @Nullable Entry after;
    private boolean waiting = true;

    private Entry(long due, Runnable task) {
      this.due = due;
      this.task = task;
    }

    /** {@return when it is due, by the monotonic clock} */
    long due() {
      return due;
    }

    @Override
    public void cancel() {
      if (waiting) {
        remove(this);
      }
    }
  }

  /** Adds a task at the end. */
  Entry add(long due, Runnable task) {
    Entry entry = new Entry(due, task);
    if (last == null) {
      first = entry;
    } else {
      entry.before = last;
      last.after = entry;
    }
    last = entry;
    return entry;
  }

  /** {@return what waits longest, or null} */
  @Nullable Entry first() {
    return first;
  }

  /** Takes out what waits longest, and carries it out; there must be one. */
  void runFirst() {
    Entry entry = first;
    if (entry != null) {
      remove(entry);
      carryOut(entry.task);
    }
  }

  /** Runs a timer's task; an exception does not affect other due tasks. */
  static void carryOut(Runnable task) {
    try {
      task.run();
    } catch (Throwable bug) {
      Faults.rethrowIfFatal(bug);
      LOG.error("internal error in a timer task, continuing", bug);
    }
  }

  private void remove(Entry entry) {
    entry.waiting = false;
    if (entry.before == null) {
      first = entry.after;
    } else {
      entry.before.after = entry.after;
    }
    if (entry.after == null) {
      last = entry.before;
    } else {
      entry.after.before = entry.before;
    }
  }
}
