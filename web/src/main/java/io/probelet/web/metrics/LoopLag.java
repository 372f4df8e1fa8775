package io.probelet.web.metrics;

import io.micrometer.core.instrument.Timer;
import io.probelet.health.ClockWatch;
import io.probelet.probe.engine.ProbeLoop;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Measures how late an event loop is, with one task a second on it for as long as it lives. */
public final class LoopLag {
  private static final long BEAT_NANOS = Duration.ofSeconds(1).toNanos();

  private final ProbeLoop loop;
  private final ClockWatch clocks;
  private final Timer lag;
  private final Consumer<Duration> late;

  private LoopLag(ProbeLoop loop, Timer lag, Consumer<Duration> late) {
    this.loop = loop;
    this.clocks = new ClockWatch(loop.time());
    this.lag = lag;
    this.late = late;
  }

  /**
   * Begins to measure.
   *
   * @param late called on the loop, once a second, how late it is
   */
  public static void watch(ProbeLoop loop, Timer lag, Consumer<Duration> late) {
    new LoopLag(loop, lag, late).plan();
  }

  private void plan() {
    long due = loop.time().nanoTime() + BEAT_NANOS;
    loop.schedule(
        BEAT_NANOS,
        () -> {
          long now = loop.time().nanoTime();
          long behind = Math.max(0, now - due);
          lag.record(behind, TimeUnit.NANOSECONDS);
          clocks.measure(now);
          late.accept(Duration.ofNanos(behind + clocks.suspendedNanos()));
          plan();
        });
  }
}
