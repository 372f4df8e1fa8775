package io.probelet.agent.metrics;

import io.micrometer.core.instrument.Timer;
import io.probelet.probe.engine.ProbeLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Measures how late an event loop is, with one task a second on it for as long as it lives. */
public final class LoopLag {
  private static final long BEAT_NANOS = Duration.ofSeconds(1).toNanos();

  private final ProbeLoop loop;
  private final Timer lag;
  private final Consumer<Duration> late;

  private LoopLag(ProbeLoop loop, Timer lag, Consumer<Duration> late) {
    this.loop = loop;
    this.lag = lag;
    this.late = late;
  }

  /**
   * Begins to measure.
   *
   * @param loop whose lag
   * @param lag where to
   * @param late called on the loop, once a second, how late it is
   */
  public static void watch(ProbeLoop loop, Timer lag, Consumer<Duration> late) {
    new LoopLag(loop, lag, late).plan();
  }

  private void plan() {
    long due = loop.time().nanoTime() + BEAT_NANOS;
    Instant begun = loop.time().wallTime();
    loop.schedule(
        BEAT_NANOS,
        () -> {
          long behind = Math.max(0, loop.time().nanoTime() - due);
          lag.record(behind, TimeUnit.NANOSECONDS);
          // The monotonic clock stands still while the machine is suspended; the wall clock does
          // not.
          Duration passed = Duration.between(begun, loop.time().wallTime()).minusNanos(BEAT_NANOS);
          late.accept(passed.toNanos() > behind ? passed : Duration.ofNanos(behind));
          plan();
        });
  }
}
