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
}
