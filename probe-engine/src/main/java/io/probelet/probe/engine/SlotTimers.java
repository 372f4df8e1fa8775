package io.probelet.probe.engine;

import io.probelet.health.TimeSource;
import io.probelet.probe.engine.ProbeLoop.Timer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Timers that fire together at the ends of fixed slots of 4 ms, never early. Each slot in which
 * something is due has one timer of the loop, whatever number of tasks share it: a loop's own queue
 * of timers is sorted, and thousands of probes in it cost more with each of them. Lives on one
 * loop.
 *
 * <pre>
 *   due      .  ..     .    ....
 *   slots |----|----|----|----|----|
 *   fired      1    2    1    2    2   (… as many tasks as fell due in the slot before)
 * </pre>
 */
final class SlotTimers {
  private static final long SLOT_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

  /** Then sockets get their turn, however many tasks are left. */
  static final long AT_ONCE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final TimeSource time;
  private final Alarms alarms;
  private final Map<Long, Slot> slots = new HashMap<>();
  private @Nullable Slot latest;

  /** The loop's own timers, to the nanosecond. */
  @FunctionalInterface
  interface Alarms {
    /**
     * Runs a task once.
     *
     * @param dueNanos may be past: then when sockets have had their turn
     */
    Timer at(long dueNanos, Runnable task);
  }

  SlotTimers(TimeSource time, Alarms alarms) {
    this.time = time;
    this.alarms = alarms;
  }

  /**
   * Runs a task at the end of a slot.
   *
   * @param dueNanos where in the slot it falls due; not past
   */
  Timer at(long dueNanos, Runnable task) {
    long end = dueNanos + untilSlotEnds(dueNanos);
    Slot slot = latest; // ticks that fire together are planned together, mostly
    if (slot == null || slot.begun || slot.end != end) {
      slot = slots.computeIfAbsent(end, Slot::new);
      latest = slot;
    }
    return slot.add(dueNanos, task);
  }

  static long untilSlotEnds(long due) {
    return Math.floorMod(-due, SLOT_NANOS);
  }

  /** What fires together. */
  private final class Slot {
    private final long end;
    private final TimerList tasks = new TimerList(this::forget);
    private @Nullable Timer alarm;

    /** Nothing joins it any more. */
    private boolean begun;

    Slot(long end) {
      this.end = end;
    }

    Timer add(long due, Runnable task) {
      if (alarm == null) {
        alarm = alarms.at(end, this::fire);
      }
      return tasks.add(due, task);
    }

    private void fire() {
      begun = true;
      slots.remove(end, this);
      long until = time.nanoTime() + AT_ONCE_NANOS;
      while (tasks.first() != null) {
        tasks.runFirst();
        if (tasks.first() != null && time.nanoTime() - until >= 0) {
          alarm = alarms.at(until, this::fire);
          return;
        }
      }
    }

    /** Nobody wakes up for a slot without tasks. */
    private void forget() {
      begun = true;
      slots.remove(end, this);
      if (alarm != null) {
        alarm.cancel();
      }
    }
  }
}
