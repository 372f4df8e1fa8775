package io.probelet.agent.metrics;

import io.micrometer.core.instrument.Timer;
import io.probelet.probe.engine.ProbeLoop;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Measures how late an event loop is, with one task a second on it for as long as it lives. */
public final class LoopLag {
  private static final long BEAT_NANOS = Duration.ofSeconds(1).toNanos();

  private final ProbeLoop loop;
  private final Timer lag;

  private LoopLag(ProbeLoop loop, Timer lag) {
    this.loop = loop;
    this.lag = lag;
  }

  /**
   * Begins to measure.
   *
   * @param loop whose lag
   * @param lag where to
   */
  public static void watch(ProbeLoop loop, Timer lag) {
    new LoopLag(loop, lag).plan();
  }

  private void plan() {
    long due = loop.time().nanoTime() + BEAT_NANOS;
    loop.schedule(
        BEAT_NANOS,
        () -> {
          lag.record(Math.max(0, loop.time().nanoTime() - due), TimeUnit.NANOSECONDS);
          plan();
        });
  }
}
