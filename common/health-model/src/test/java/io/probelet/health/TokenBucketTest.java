package io.probelet.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Bursts and refills. */
class TokenBucketTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long START = Long.MAX_VALUE - SECOND; // the clock may overflow

  @Test
  @DisplayName("a burst, then one token per interval, never more than the burst")
  void refills() {
    TokenBucket bucket = new TokenBucket(3, Duration.ofSeconds(2), START);
    for (int left = 3; left > 0; left--) {
      assertThat(bucket.available(START)).isEqualTo(left);
      bucket.take();
    }
    bucket.take();
    assertThat(bucket.available(START + 2 * SECOND - 1)).isZero();
    assertThat(bucket.available(START + 2 * SECOND)).isEqualTo(1);
    bucket.take();
    assertThat(bucket.available(START + 4 * SECOND - 1)).isZero();
    assertThat(bucket.available(START + 100 * SECOND)).isEqualTo(3);
  }

  @Test
  @DisplayName("a bucket without tokens or refill is rejected")
  void wrong() {
    assertThatThrownBy(() -> new TokenBucket(0, Duration.ofSeconds(1), 0))
        .hasMessageContaining("at least 1");
    assertThatThrownBy(() -> new TokenBucket(1, Duration.ZERO, 0)).hasMessageContaining("above 0");
  }
}
