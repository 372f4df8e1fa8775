package io.probelet.web.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.probelet.health.ManualClock;
import io.probelet.health.TimeSource;
import io.probelet.probe.engine.ProbeLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The measure on a loop whose time is told by hand. */
class LoopLagTest {
  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private final ArrayDeque<Runnable> planned = new ArrayDeque<>();
  private final io.micrometer.core.instrument.Timer lag = new SimpleMeterRegistry().timer("lag");

  private final ProbeLoop loop =
      new ProbeLoop() {
        @Override
        public void execute(Runnable task) {
          throw new UnsupportedOperationException();
        }

        @Override
        public ProbeLoop.Timer at(long dueNanos, Runnable task) {
          assertThat(dueNanos - clock.nanoTime()).isEqualTo(Duration.ofSeconds(1).toNanos());
          planned.add(task);
          return () -> planned.remove(task);
        }

        @Override
        public TimeSource time() {
          return clock;
        }
      };

  @Test
  void eachBeatRecordsHowLateItCameAndPlansTheNext() {
    LoopLag.watch(loop, lag, _ -> {});
    beatAfter(Duration.ofSeconds(1));
    beatAfter(Duration.ofMillis(1250));
    beatAfter(Duration.ofMillis(1030));
    assertThat(lag.count()).isEqualTo(3);
    assertThat(lag.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(280);
    assertThat(lag.max(TimeUnit.MILLISECONDS)).isEqualTo(250);
    assertThat(planned).hasSize(1);
  }

  private void beatAfter(Duration delay) {
    clock.advance(delay);
    planned.remove().run();
  }
}
