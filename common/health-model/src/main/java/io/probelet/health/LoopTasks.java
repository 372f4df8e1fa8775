package io.probelet.health;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The pending tasks of a {@link SerialLoop}, ordered by time. Thread-safe. */
final class LoopTasks {
  private final LongSupplier time;
  private final int maxWaiting;
  private final int reserved;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed;
  private final Condition room;

  // Guarded by the lock.
  private final TreeSet<Entry> entries = new TreeSet<>(Entry.ORDER);
  private final Map<Alarm, Entry> alarms = new HashMap<>();
  private long sequence;
  private long refused;
  private State state = State.OPEN;

  private enum State {
    OPEN,
    FINISHING,
    CLOSED
  }

  /** A pending task; belongs to the alarm unless that is null. */
  private record Entry(long due, long sequence, Runnable task, @Nullable Alarm alarm) {
    /** Monotonic times may overflow, so they are compared by difference. */
    static final Comparator<Entry> ORDER =
        (one, other) ->
            one.due == other.due
                ? Long.compare(one.sequence, other.sequence)
                : Long.signum(one.due - other.due);
  }

  /**
   * Creates an empty one.
   *
   * @param time the monotonic clock
   * @param conditions creates a condition whose limited waits end by that clock
   * @param maxWaiting the most waiting tasks
   * @param reserved how many of these are reserved for tasks that do not wait for room
   */
  LoopTasks(LongSupplier time, Function<Lock, Condition> conditions, int maxWaiting, int reserved) {
    if (maxWaiting < 1) {
      throw new IllegalArgumentException("maxWaiting must be at least 1, not " + maxWaiting);
    }
    this.time = time;
    this.changed = conditions.apply(lock);
    this.room = lock.newCondition(); // no limited wait
    this.maxWaiting = maxWaiting;
    this.reserved = reserved;
  }

  long now() {
    return time.getAsLong();
  }

  /**
   * Adds a task.
   *
   * @param own whether a task of the loop adds it: a finishing loop accepts only these
   * @return whether it was added
   */
  boolean offer(Runnable task, boolean own) {
    lock.lock();
    try {
      if (state == State.CLOSED || (state == State.FINISHING && !own)) {
        return false;
      }
      if (count() == maxWaiting) {
        refused++;
        return false;
      }
      add(new Entry(now(), sequence++, task, null));
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Adds a task as soon as there is room; {@return whether it was added before closing} */
  boolean put(Runnable task) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (state == State.OPEN && count() >= maxWaiting - reserved) {
        room.await();
      }
      return offer(task, false);
    } finally {
      lock.unlock();
    }
  }

  private void add(Entry entry) {
    entries.add(entry);
    if (entries.first().equals(entry)) {
      changed.signalAll();
    }
  }

  void set(Alarm alarm, long due) {
    lock.lock();
    try {
      remove(alarm);
      if (state == State.OPEN) {
        Entry entry = new Entry(due, sequence++, alarm.task(), alarm);
        alarms.put(alarm, entry);
        add(entry);
      }
    } finally {
      lock.unlock();
    }
  }

  void cancel(Alarm alarm) {
    lock.lock();
    try {
      remove(alarm);
    } finally {
      lock.unlock();
    }
  }

  private void remove(Alarm alarm) {
    Entry entry = alarms.remove(alarm);
    if (entry != null) {
      entries.remove(entry);
    }
  }

  boolean isSet(Alarm alarm) {
    lock.lock();
    try {
      return alarms.containsKey(alarm);
    } finally {
      lock.unlock();
    }
  }

  /** {@return how many tasks wait, alarms not counted} */
  int waiting() {
    lock.lock();
    try {
      return count();
    } finally {
      lock.unlock();
    }
  }

  private int count() {
    return entries.size() - alarms.size();
  }

  long refused() {
    lock.lock();
    try {
      return refused;
    } finally {
      lock.unlock();
    }
  }

  /** Drops the alarms and accepts only what the last tasks add. */
  void finish() {
    lock.lock();
    try {
      if (state == State.OPEN) {
        state = State.FINISHING;
        entries.removeIf(entry -> entry.alarm() != null);
        alarms.clear();
        changed.signalAll();
        room.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Drops everything and accepts nothing more. */
  void close() {
    lock.lock();
    try {
      state = State.CLOSED;
      entries.clear();
      alarms.clear();
      changed.signalAll();
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isOpen() {
    lock.lock();
    try {
      return state == State.OPEN;
    } finally {
      lock.unlock();
    }
  }

  /** {@return the next task once it is due; null after closing} */
  @Nullable Runnable take() {
    lock.lock();
    try {
      Runnable due = pollDue();
      while (due == null && !isOver()) {
        try {
          if (entries.isEmpty()) {
            changed.await();
          } else {
            changed.awaitNanos(nanosUntilNext());
          }
        } catch (InterruptedException stray) {
          // Closing is recorded in the state; an interrupt left behind by a task is ignored.
        }
        due = pollDue();
      }
      // Clears an interrupt left by an earlier task. Closing interrupts only after the lock is
      // released.
      Thread.interrupted();
      return due;
    } finally {
      lock.unlock();
    }
  }

  /** {@return the next due task; null if there is none} */
  @Nullable Runnable poll() {
    lock.lock();
    try {
      return pollDue();
    } finally {
      lock.unlock();
    }
  }

  /** {@return the time until the next task is due, zero or more; null if there is none} */
  @Nullable Duration untilNext() {
    lock.lock();
    try {
      return entries.isEmpty() ? null : Duration.ofNanos(Math.max(0, nanosUntilNext()));
    } finally {
      lock.unlock();
    }
  }

  private long nanosUntilNext() {
    return entries.first().due() - now();
  }

  private boolean isOver() {
    return state == State.CLOSED || (state == State.FINISHING && entries.isEmpty());
  }

  private @Nullable Runnable pollDue() {
    if (entries.isEmpty() || nanosUntilNext() > 0) {
      return null;
    }
    Entry due = entries.pollFirst();
    if (due.alarm() == null) {
      room.signal();
    } else {
      alarms.remove(due.alarm());
    }
    return due.task();
  }
}
