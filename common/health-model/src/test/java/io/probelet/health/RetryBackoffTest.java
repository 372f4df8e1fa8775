package io.probelet.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The waits after failures. */
class RetryBackoffTest {
  private static final RandomGenerator NONE =
      () -> {
        throw new AssertionError("nothing is random here");
      };

  private static final RetryBackoff HALF =
      new RetryBackoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(60), 0.5);

  @ParameterizedTest(name = "factor {0}, failure {1}: {2}")
  @DisplayName("waits grow by the factor, up to the maximum")
  @CsvSource({
    "1, 1, PT1S",
    "1, 99, PT1S",
    "2, 1, PT1S",
    "2, 2, PT2S",
    "2, 3, PT4S",
    "2, 6, PT32S",
    "2, 7, PT1M",
    "2, 2147483647, PT1M",
    "3, 1, PT1S",
    "3, 2, PT3S",
    "3, 4, PT27S",
    "3, 5, PT1M"
  })
  void grows(int factor, int failures, Duration wait) {
    RetryBackoff backoff =
        new RetryBackoff(Duration.ofSeconds(1), factor, Duration.ofSeconds(60), 0);
    assertThat(backoff.delay(failures, NONE)).isEqualTo(wait);
  }

  @ParameterizedTest(name = "after {0}: {1}")
  @DisplayName("without jitter each wait follows from the previous one")
  @CsvSource({
    "PT0S, PT1S",
    "PT1S, PT2S",
    "PT20S, PT40S",
    "PT31S, PT1M",
    "PT1M, PT1M",
    "PT2H, PT1M"
  })
  void after(Duration previous, Duration wait) {
    assertThat(RetryBackoff.doubling(Duration.ofSeconds(1), Duration.ofSeconds(60)).after(previous))
        .isEqualTo(wait);
  }

  @Test
  @DisplayName("the jitter is the random share of a wait")
  void jitter() {
    RandomGenerator random = new Random(1);
    for (int failures = 1; failures < 10; failures++) {
      Duration longest = Duration.ofSeconds(Math.min(60, 1L << (failures - 1)));
      Duration least = Duration.ofDays(1);
      Duration most = Duration.ZERO;
      for (int i = 0; i < 1000; i++) {
        Duration wait = HALF.delay(failures, random);
        least = wait.compareTo(least) < 0 ? wait : least;
        most = wait.compareTo(most) > 0 ? wait : most;
      }
      assertThat(least).isBetween(longest.dividedBy(2), longest.multipliedBy(51).dividedBy(100));
      assertThat(most).isBetween(longest.multipliedBy(99).dividedBy(100), longest.minusNanos(1));
    }
  }

  @ParameterizedTest(name = "asked for {0}: {1}")
  @DisplayName("a requested time is honored with jitter, up to the maximum")
  @CsvSource({
    "PT0S, PT0.5S",
    "PT-5S, PT0.5S",
    "PT0.4S, PT0.5S",
    "PT10S, PT10.05S",
    "PT1H, PT1M0.05S"
  })
  void asked(Duration asked, Duration wait) {
    assertThat(HALF.delay(1, () -> 0, asked)).isEqualTo(wait);
  }

  @Test
  @DisplayName("an initial wait above the maximum is limited to it")
  void longInitial() {
    RetryBackoff backoff = RetryBackoff.doubling(Duration.ofMinutes(9), Duration.ofMinutes(5));
    assertThat(backoff.delay(1, NONE)).isEqualTo(Duration.ofMinutes(5));
    assertThat(backoff.after(Duration.ZERO)).isEqualTo(Duration.ofMinutes(5));
  }

  @ParameterizedTest(name = "{0} {1} {2} {3}")
  @DisplayName("invalid values are rejected with the allowed range")
  @CsvSource({
    "PT0S, 2, PT1S, 0",
    "PT1S, 0, PT1S, 0",
    "PT1S, 2, PT-1S, 0",
    "PT1S, 2, PT1S, -0.1",
    "PT1S, 2, PT1S, 1.1",
    "PT1S, 2, PT1S, NaN"
  })
  void wrong(Duration initial, int factor, Duration max, double jitter) {
    assertThatThrownBy(() -> new RetryBackoff(initial, factor, max, jitter))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("waits above zero, a factor of at least 1 and a jitter from 0 to 1");
  }

  @Test
  @DisplayName("without failures there is no wait")
  void noFailure() {
    assertThatThrownBy(() -> HALF.delay(0, NONE)).hasMessageContaining("at least 1, not 0");
  }
}
