package io.probelet.agent.console;

import io.probelet.health.ClockWatch;
import io.probelet.health.TimeSource;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.ProbeLoop;
import io.probelet.web.api.AgentView;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs when the agent itself was stalled: one line for each long stall, with its length and the
 * probes that it spoilt, and one a minute at most for short ones that spoilt some. A step of the
 * wall clock has a line of its own (W-20): nothing stood still.
 */
public final class StallLog implements ProbeListener {
  private static final Logger LOG = LoggerFactory.getLogger(StallLog.class);

  /** From here on a stall has a line of its own. */
  private static final Duration LONG = Duration.ofSeconds(1);

  /** Within this time after a stall the probes that it overlapped have ended. */
  private static final Duration AFTERMATH = Duration.ofSeconds(2);

  /** A wall clock that is set by less is not worth a line. */
  private static final Duration STEP = Duration.ofSeconds(1);

  private static final String CONSEQUENCE =
      "the agent itself was stalled; probes during that time are discarded";

  private final RepeatLimit reminders;
  private final TimeSource time;

  /** Shared by all loops: the first that asks sees the step, the others see none. */
  private final ClockWatch clocks;

  private final AtomicReference<AgentView.Stalls> past =
      new AtomicReference<>(AgentView.Stalls.NONE);

  /**
   * Probes discarded on the current thread, which is one loop's: another's stall is not its own.
   */
  private final ThreadLocal<Long> discarded = ThreadLocal.withInitial(() -> 0L);

  /** Creates a log that has said nothing yet. */
  public StallLog(TimeSource time) {
    reminders = new RepeatLimit(time);
    this.time = time;
    clocks = new ClockWatch(time);
  }

  /** {@return the long stalls since the start, without the probes they spoilt} */
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
   * Begins to watch a loop.
   *
   * @return to be called on that loop, once a second, how late it is
   */
  public Consumer<Duration> of(ProbeLoop loop) {
    return new OneLoop(loop)::late;
  }

  private synchronized Duration clockStep() {
    clocks.measure(time.nanoTime());
    return Duration.ofNanos(clocks.steppedNanos());
  }

  private void clock() {
    Duration step = clockStep();
    if (step.abs().compareTo(STEP) >= 0 && reminders.due(STEP).isPresent()) {
      LOG.warn(
          "clock={} by={}s: the wall clock was set; timers and probes are not affected",
          step.isNegative() ? "set-back" : "set-forward",
          String.format(Locale.ROOT, "%.1f", step.abs().toMillis() / 1000.0));
    }
  }

  /** Lives on its loop. */
  private final class OneLoop {
    private final ProbeLoop loop;
    private Duration stalled = Duration.ZERO;
    private long logged;

    OneLoop(ProbeLoop loop) {
      this.loop = loop;
    }

    void late(Duration by) {
      clock();
      if (by.compareTo(LONG) >= 0) {
        if (stalled.isZero()) {
          loop.schedule(AFTERMATH.toNanos(), this::longOne);
        }
        stalled = stalled.plus(by);
      } else if (stalled.isZero() && discarded.get() > logged) {
        shortOnes();
      }
    }

    private void longOne() {
      LOG.warn(
          "stalled={}s discarded={}: {}",
          String.format(Locale.ROOT, "%.1f", stalled.toMillis() / 1000.0),
          spoilt(),
          CONSEQUENCE);
      double seconds = stalled.toMillis() / 1000.0;
      String ended = time.wallTime().minus(AFTERMATH).truncatedTo(ChronoUnit.SECONDS).toString();
      past.updateAndGet(
          before -> new AgentView.Stalls(before.count() + 1, before.seconds() + seconds, ended, 0));
      stalled = Duration.ZERO;
    }

    private void shortOnes() {
      OptionalInt due = reminders.due(this);
      if (due.isPresent()) {
        LOG.warn("stalled=<1s discarded={}: {}", spoilt(), CONSEQUENCE);
      }
    }

    private long spoilt() {
      long all = discarded.get();
      long since = all - logged;
      logged = all;
      return since;
    }
  }
}
