package io.probelet.monitor.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ManualClock;
import io.probelet.health.TimeSource;
import io.probelet.monitor.node.LogWatch.LineAge;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** which lines are too old. */
class LineAgeTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Instant LOOKBACK = NOW.minusSeconds(300);

  @ParameterizedTest
  @CsvSource({
    "-301s too old,        PT-301S, false, true",
    "-300s just in,        PT-300S, true,  true",
    "now,                  PT0S,    true,  true",
    "of the future,        PT24H,   true,  true",
    "before a suspend,     PT-10H,  false, true",
    "of another year,      PT-9000H,false, true",
  })
  @DisplayName("A-3 only lines present at the start are judged by their own time")
  void lookback(String name, Duration logged, boolean atStart, boolean live) {
    LineAge age = new LineAge(LOOKBACK, Duration.ZERO, new ManualClock(NOW));
    assertThat(age.counts(NOW.plus(logged))).as(name).isEqualTo(atStart);
    age.readLive();
    assertThat(age.counts(NOW.plus(logged))).as(name).isEqualTo(live);
  }

  @ParameterizedTest
  @CsvSource({"-1", "1"})
  @DisplayName("A-3 the delay after the boot is elapsed time: setting the clock does not end it")
  void delay(int direction) {
    ManualClock clock = new ManualClock(NOW);
    Duration[] set = {Duration.ZERO};
    TimeSource adjusted =
        new TimeSource() {
          @Override
          public long nanoTime() {
            return clock.nanoTime();
          }

          @Override
          public Instant wallTime() {
            return clock.wallTime().plus(set[0]);
          }
        };
    LineAge age = new LineAge(NOW.plusSeconds(60), Duration.ofSeconds(60), adjusted);
    age.readLive();
    set[0] = Duration.ofHours(direction);
    assertThat(age.counts(adjusted.wallTime())).isFalse();
    clock.advance(Duration.ofSeconds(59));
    assertThat(age.counts(adjusted.wallTime())).isFalse();
    clock.advance(Duration.ofSeconds(1));
    assertThat(age.counts(adjusted.wallTime())).isTrue();
  }

  @Test
  @DisplayName("A-3 a delay that is over when reading begins has no effect")
  void over() {
    LineAge age = new LineAge(LOOKBACK, Duration.ofHours(-1), new ManualClock(NOW));
    age.readLive();
    assertThat(age.counts(Instant.EPOCH)).isTrue();
  }
}
