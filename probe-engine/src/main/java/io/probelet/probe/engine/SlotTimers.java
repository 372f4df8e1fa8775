package io.probelet.probe.engine;

import io.probelet.health.TimeSource;
import io.probelet.probe.engine.ProbeLoop.RepeatedTimer;
import io.probelet.probe.engine.ProbeLoop.Timer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Timers that fire together at the ends of fixed slots of 3 ms, never early. Each slot in which
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
  private static final long SLOT_NANOS = TimeUnit.MILLISECONDS.toNanos(3);

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
   * @param dueNanos where in the slot it falls due; one that is past means now
   */
  Timer at(long dueNanos, Runnable task) {
    RepeatedTimer once = timer(task);
    once.set(dueNanos);
    return once;
  }

  /** {@return a timer that can be set again and again, not set yet} */
  RepeatedTimer timer(Runnable task) {
    return new SlotTimer(task);
  }

  private Slot slot(long end) {
    Slot slot = latest; // ticks that fire together are planned together, mostly
    if (slot == null || slot.begun || slot.end != end) {
      slot = slots.computeIfAbsent(end, Slot::new);
      latest = slot;
    }
    return slot;
  }

  static long untilSlotEnds(long due) {
    return Math.floorMod(-due, SLOT_NANOS);
  }

  /**
   * A task with its place in a slot. It holds nothing but numbers that change: a reference from
   * each of thousands of old timers to something new is what the garbage collector would have to
   * follow each time.
   */
  private final class SlotTimer implements RepeatedTimer {
    private final Runnable task;
    private boolean waiting;
    private long end;
    private int place;

    SlotTimer(Runnable task) {
      this.task = task;
    }

    @Override
    public void set(long dueNanos) {
      cancel();
      long now = time.nanoTime();
      long due = dueNanos - now > 0 ? dueNanos : now;
      end = due + untilSlotEnds(due);
      place = slot(end).add(this);
      waiting = true;
    }

    @Override
    public void cancel() {
      if (waiting) {
        waiting = false;
        Slot slot = slots.get(end);
        if (slot != null) {
          slot.calledOff(this);
        }
      }
    }

    private boolean waitsIn(Slot slot, int at) {
      return waiting && end == slot.end && place == at;
    }

    private void run() {
      waiting = false;
      TimerList.carryOut(task);
    }
  }

  /** What fires together. */
  private final class Slot {
    private final long end;
    private final List<SlotTimer> timers = new ArrayList<>();
    private @Nullable Timer alarm;
    private int waiting;
    private int next;

    /** No more timers are added. */
    private boolean begun;

    Slot(long end) {
      this.end = end;
    }

    /** {@return its place} */
    int add(SlotTimer timer) {
      if (alarm == null) {
        alarm = alarms.at(end, this::fire);
      }
      timers.add(timer);
      waiting++;
      return timers.size() - 1;
    }

    private void fire() {
      begun = true;
      slots.remove(end, this);
      long until = time.nanoTime() + AT_ONCE_NANOS;
      while (next < timers.size()) {
        int place = next++;
        SlotTimer timer = timers.get(place);
        if (timer.waitsIn(this, place)) {
          timer.run();
          if (next < timers.size() && time.nanoTime() - until >= 0) {
            alarm = alarms.at(until, this::fire);
            return;
          }
        }
      }
    }

    /**
     * One of those that wait here does so no more; nobody wakes up for a slot without any. It may
     * wait in an older slot with the same end, which has begun already.
     */
    private void calledOff(SlotTimer timer) {
      boolean here = timer.place < timers.size() && timers.get(timer.place).equals(timer);
      if (here && --waiting == 0) {
        begun = true;
        slots.remove(end, this);
        if (alarm != null) {
          alarm.cancel();
        }
      }
    }
  }
}
