package io.probelet.agent.console;

import io.probelet.health.ClockWatch;
import io.probelet.health.TimeSource;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.ProbeLoop;
import io.probelet.web.api.AgentView;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs stalls of the agent itself: one line per long stall, with its length and the number of
 * discarded probes, and at most one line per minute for short stalls that discarded probes. A step
 * of the wall clock is not a stall and has its own line (W-20).
 */
public final class StallLog implements ProbeListener {
  private static final Logger LOG = LoggerFactory.getLogger(StallLog.class);

  /** Stalls of at least this length have their own line. */
  private static final Duration LONG = Duration.ofSeconds(1);

  /** Probes that overlap a stall end within this time after it. */
  private static final Duration AFTERMATH = Duration.ofSeconds(2);

  /** Smaller steps of the wall clock are not logged. */
  private static final Duration STEP = Duration.ofSeconds(1);

  /**
   * Between samples further apart no probe was due: a suspension meanwhile stalled none, and a wall
   * clock that is slewed can have gained a second.
   */
  private static final Duration IDLE = Duration.ofMinutes(10);

  private final RepeatLimit reminders;
  private final TimeSource time;

  /** Shared by all loops; only the first loop that asks gets the step. */
  private final ClockWatch clocks;

  private long clocksRead;

  private final AtomicReference<AgentView.Stalls> past =
      new AtomicReference<>(AgentView.Stalls.NONE);

  /**
   * Probes discarded on the current thread, which belongs to one loop. Loops stall independently.
   */
  private final ThreadLocal<Long> discarded = ThreadLocal.withInitial(() -> 0L);

  /** Creates a log without history. */
  public StallLog(TimeSource time) {
    reminders = new RepeatLimit(time);
    this.time = time;
    clocks = new ClockWatch(time);
    clocksRead = time.nanoTime();
  }

  /** {@return the long stalls since the start, without discarded probes} */
  public AgentView.Stalls past() {
    return past.get();
  }

  @Override
  public void probed(Probed probe) {
    if (probe.outcome().verdict() instanceof Verdict.ProberError error
        && error.reason() == Verdict.Reason.STALLED) {
      discarded.set(discarded.get() + 1);
    }
  }

  /**
   * Starts watching a loop.
   *
   * @return takes samples of how late its probes tick, see {@code ProbeEngine.sampleLag}
   */
  public Consumer<Duration> of(ProbeLoop loop) {
    return new OneLoop(loop)::late;
  }

  private synchronized Duration clockStep() {
    long now = time.nanoTime();
    boolean idle = now - clocksRead > IDLE.toNanos();
    clocksRead = now;
    clocks.measure(now);
    return idle ? Duration.ZERO : Duration.ofNanos(clocks.steppedNanos());
  }

  private static double tenths(Duration time) {
    return Math.round(time.toMillis() / 100.0) / 10.0;
  }

  private void clock() {
    Duration step = clockStep();
    if (step.abs().compareTo(STEP) >= 0 && reminders.due(STEP).isPresent()) {
      LOG.warn(
          "wall clock set, timers and probes are not affected direction={} step_seconds={}",
          step.isNegative() ? "back" : "forward",
          tenths(step.abs()));
    }
  }

  /** Used only on its loop. */
  private final class OneLoop {
    private final ProbeLoop loop;
    private final ClockWatch ofLoop = new ClockWatch(time);
    private long sampled = time.nanoTime();
    private Duration stalled = Duration.ZERO;
    private long logged;

    OneLoop(ProbeLoop loop) {
      this.loop = loop;
    }

    void late(Duration lag) {
      clock();
      Duration by = lost(lag);
      if (by.compareTo(LONG) >= 0) {
        if (stalled.isZero()) {
          loop.schedule(AFTERMATH.toNanos(), this::logLongStall);
        }
        stalled = stalled.plus(by);
      } else if (stalled.isZero() && discarded.get() > logged) {
        logShortStalls();
      }
    }

    /** {@return how long the loop stood still since the last sample, at which it ran} */
    private Duration lost(Duration lag) {
      long now = time.nanoTime();
      long since = now - sampled;
      sampled = now;
      ofLoop.measure(now);
      long suspended = since > IDLE.toNanos() ? 0 : ofLoop.suspendedNanos();
      return Duration.ofNanos(Math.min(lag.toNanos(), since) + suspended);
    }

    private void logLongStall() {
      LOG.warn(
          "agent stalled, discarding its probes stalled_seconds={} discarded={}",
          tenths(stalled),
          newlyDiscarded());
      double seconds = stalled.toMillis() / 1000.0;
      String ended = time.wallTime().minus(AFTERMATH).truncatedTo(ChronoUnit.SECONDS).toString();
      past.updateAndGet(
          before -> new AgentView.Stalls(before.count() + 1, before.seconds() + seconds, ended, 0));
      stalled = Duration.ZERO;
    }

    private void logShortStalls() {
      OptionalInt due = reminders.due(this);
      if (due.isPresent()) {
        LOG.warn(
            "agent stalled for less than 1 s, discarding its probes discarded={}",
            newlyDiscarded());
      }
    }

    private long newlyDiscarded() {
      long all = discarded.get();
      long since = all - logged;
      logged = all;
      return since;
    }
  }
}
