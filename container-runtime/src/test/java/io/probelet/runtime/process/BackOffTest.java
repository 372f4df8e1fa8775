package io.probelet.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.health.RetryBackoff;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BackOffTest {
  @Test
  @DisplayName("D-3 at once, then 10 s doubling to 300 s")
  void doublesUpToTheCap() {
    assertThat(delays(BackOff.KUBELET, 9))
        .containsExactly(0L, 10L, 20L, 40L, 80L, 160L, 300L, 300L, 300L);
  }

  @Test
  @DisplayName("D-3 a cap below the initial delay holds for that too")
  void capWinsOverInitial() {
    BackOff backOff =
        new BackOff(
            RetryBackoff.doubling(Duration.ofSeconds(10), Duration.ofSeconds(2)),
            Duration.ofMinutes(1));
    assertThat(delays(backOff, 4)).containsExactly(0L, 2L, 2L, 2L);
  }

  @Test
  void rejectsDurationsThatAreNotAboveZero() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> RetryBackoff.doubling(Duration.ZERO, second))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("above zero")
        .hasMessageContaining("PT0S");
    assertThatThrownBy(
            () -> new BackOff(RetryBackoff.doubling(second, second), Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT-1S");
  }

  private static List<Long> delays(BackOff backOff, int count) {
    return Stream.iterate(Duration.ZERO, backOff::after)
        .limit(count)
        .map(Duration::toSeconds)
        .toList();
  }
}
