package io.probelet.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The waits after failures. */
class ApiRetryTest {
  private static final List<Long> LONGEST_SECONDS = List.of(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);

  @Test
  @DisplayName("waits double up to a minute, half of each at random")
  void doubles() {
    for (int seed = 0; seed < 100; seed++) {
      ApiRetry retry = new ApiRetry(new Random(seed));
      for (long longest : LONGEST_SECONDS) {
        Duration wait = retry.failed(Optional.empty());
        assertThat(wait).isBetween(Duration.ofMillis(longest * 500), Duration.ofSeconds(longest));
      }
    }
  }

  @Test
  @DisplayName("a probe of the server's return waits less, unless a wait is requested")
  void bounded() {
    ApiRetry retry = new ApiRetry(new Random(1), Duration.ofSeconds(1), Duration.ofSeconds(7));
    for (long longest : List.of(1L, 2L, 4L, 7L, 7L, 7L)) {
      assertThat(retry.failed(Optional.empty()))
          .isBetween(Duration.ofMillis(longest * 500), Duration.ofSeconds(longest));
    }
    assertThat(retry.failed(Optional.of(Duration.ofSeconds(50))))
        .isBetween(Duration.ofSeconds(50), Duration.ofSeconds(60));
  }

  @Test
  @DisplayName("a short requested wait makes the longest wait of a heartbeat no longer")
  void shortWish() {
    ApiRetry retry = new ApiRetry(new Random(1), Duration.ofSeconds(1), Duration.ofSeconds(30));
    for (int failure = 0; failure < 20; failure++) {
      assertThat(retry.failed(Optional.of(Duration.ofSeconds(1))))
          .isLessThanOrEqualTo(Duration.ofSeconds(30));
    }
  }

  @Test
  @DisplayName("two agents wait differently")
  void jitter() {
    List<Duration> waits = new ArrayList<>();
    for (int seed = 0; seed < 10; seed++) {
      waits.add(new ApiRetry(new Random(seed)).failed(Optional.empty()));
    }
    assertThat(waits).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("a success resets; a requested wait is honored, up to a minute")
  void wishes() {
    ApiRetry retry = new ApiRetry(() -> 0);
    retry.failed(Optional.empty());
    retry.failed(Optional.empty());
    retry.succeeded();
    assertThat(retry.failed(Optional.empty())).isEqualTo(Duration.ofMillis(500));
    assertThat(retry.failed(Optional.of(Duration.ofSeconds(9))))
        .isBetween(Duration.ofSeconds(9), Duration.ofSeconds(10));
    assertThat(retry.failed(Optional.of(Duration.ofHours(1)))).isLessThan(Duration.ofSeconds(70));
  }
}
