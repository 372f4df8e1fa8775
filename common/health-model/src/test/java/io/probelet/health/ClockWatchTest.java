package io.probelet.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tells suspensions from clock steps. */
class ClockWatchTest {
  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private final ClockWatch watch = new ClockWatch(clock);

  @ParameterizedTest
  @CsvSource({
    // step, suspension -> found
    "0, 0, 0, 0",
    "99, 0, 0, 0",
    "100, 0, 100, 0",
    "-100, 0, -100, 0",
    "0, 3600000, 0, 3600000",
    "-60000, 3600000, -60000, 3600000",
    "3600000, 0, 3600000, 0"
  })
  void tellsAStepFromASuspension(long step, long suspension, long stepped, long suspended) {
    clock.advance(Duration.ofSeconds(10));
    clock.stepWallClock(Duration.ofMillis(step));
    clock.suspend(Duration.ofMillis(suspension));
    watch.measure(clock.nanoTime());
    assertThat(Duration.ofNanos(watch.steppedNanos())).isEqualTo(Duration.ofMillis(stepped));
    assertThat(Duration.ofNanos(watch.suspendedNanos())).isEqualTo(Duration.ofMillis(suspended));
    watch.measure(clock.nanoTime());
    assertThat(watch.steppedNanos()).as("once").isZero();
    assertThat(watch.suspendedNanos()).as("once").isZero();
  }

  @Test
  void survivesAClockSetByCenturies() {
    clock.stepWallClock(Duration.ofDays(365_000));
    watch.measure(clock.nanoTime());
    assertThat(watch.suspendedNanos()).isZero();
    assertThat(watch.steppedNanos()).isPositive();
  }

  @Test
  void theMachineItselfWasNotSuspendedJustNow() {
    long before = SystemClock.INSTANCE.suspendedNanos();
    long after = SystemClock.INSTANCE.suspendedNanos();
    assertThat(Duration.ofNanos(after - before)).isLessThan(Duration.ofHours(1));
    assertThat(before).as("/proc/uptime is read").isNotZero();
  }
}
