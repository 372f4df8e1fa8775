package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the next tick is due. */
class TickGridTest {
  @ParameterizedTest(name = "now {0}: next {1}")
  @CsvSource({"0, 10", "9, 10", "10, 20", "11, 20", "19, 20", "20, 30", "35, 40", "-7, 10"})
  @DisplayName("W-2 ticks keep to their grid, and those that are past are dropped")
  void grid(long now, long next) {
    assertThat(TickGrid.next(0, Duration.ofNanos(10), now)).isEqualTo(next);
    assertThat(TickGrid.next(100, Duration.ofNanos(10), now + 100)).isEqualTo(next + 100);
  }

  @ParameterizedTest(name = "earliest {0}: tick {1}")
  @CsvSource({"-7, 5", "4, 5", "5, 5", "6, 15", "14, 15", "15, 15", "16, 25", "104, 105"})
  @DisplayName("W-2 the first tick of the grid at a time or after it")
  void from(long earliest, long tick) {
    assertThat(TickGrid.from(5, Duration.ofNanos(10), earliest)).isEqualTo(tick);
    assertThat(TickGrid.from(-95, Duration.ofNanos(10), earliest - 100)).isEqualTo(tick - 100);
  }
}
