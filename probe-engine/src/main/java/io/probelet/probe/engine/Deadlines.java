package io.probelet.probe.engine;

import io.probelet.health.TimeSource;
import io.probelet.probe.engine.ProbeLoop.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Timers for what mostly ends before they fire, to the nanosecond. Those of one length fall due in
 * the order in which they began, so they wait in a line of which only the first needs a timer of
 * the loop; and that is left as it is when the first is called off, to see then who is the first.
 * Lives on one loop.
 */
final class Deadlines {

  private final TimeSource time;
  private final SlotTimers.Alarms alarms;
  private final Map<Duration, Line> lines = new HashMap<>();
  private @Nullable Line latest;

  Deadlines(TimeSource time, SlotTimers.Alarms alarms) {
    this.time = time;
    this.alarms = alarms;
  }

  /** Runs a task after a while unless it is called off. */
  Timer in(Duration delay, Runnable task) {
    Line line = latest;
    if (line == null || line.ended || !line.delay.equals(delay)) {
      line = lines.computeIfAbsent(delay, Line::new);
      latest = line;
    }
    return line.add(task);
  }

  /** {@return of how many lengths there are some, or were just now} */
  int lengths() {
    return lines.size();
  }

  /** Those of one length. */
  private final class Line {
    private final Duration delay;
    private final long nanos;
    private final TimerList tasks = new TimerList();

    /** Whether a timer of the loop is under way, be it for one that was called off. */
    private boolean armed;

    /** No more timers are added. */
    private boolean ended;

    Line(Duration delay) {
      this.delay = delay;
      nanos = delay.toNanos();
    }

    Timer add(Runnable task) {
      TimerList.Entry entry = tasks.add(time.nanoTime() + nanos, task);
      if (!armed) {
        arm(entry);
      }
      return entry;
    }

    private void arm(TimerList.Entry first) {
      armed = true;
      alarms.at(first.due(), this::fire);
    }

    private void fire() {
      for (TimerList.Entry first = tasks.first(); first != null; first = tasks.first()) {
        if (first.due() - time.nanoTime() > 0) {
          arm(first);
          return;
        }
        tasks.runFirst();
      }
      ended = true;
      lines.remove(delay, this);
    }
  }
}
