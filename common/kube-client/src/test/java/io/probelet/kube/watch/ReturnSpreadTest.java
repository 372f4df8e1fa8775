package io.probelet.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When the watches of a cluster's nodes return to an API server. */
class ReturnSpreadTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final Random random = new Random(1);

  @Test
  @DisplayName("after a lost connection a watch returns at once")
  void blip() {
    ReturnSpread spread = new ReturnSpread(ReturnSpread.OF_NODES, random);
    assertThat(spread.failed(5 * SECOND)).isZero();
    assertThat(spread.failed(7 * SECOND - 1)).isZero();
    spread.succeeded();
    assertThat(spread.failed(100 * SECOND)).isZero();
  }

  @Test
  @DisplayName(
      "after a restart of the server a thousand watches return over a minute, and not while"
          + " it fills its caches")
  void restart() {
    long[] perTenSeconds = new long[6];
    IntStream.range(0, 1000)
        .mapToObj(_ -> new ReturnSpread(ReturnSpread.OF_NODES, random))
        .forEach(spread -> {
          Duration _ = spread.failed(0);
          perTenSeconds[(int) (spread.failed(20 * SECOND).toSeconds() / 10) - 1]++;
        });
    assertThat(Arrays.stream(perTenSeconds).boxed()).allMatch(count -> count > 120 && count < 220);
  }

  @Test
  @DisplayName("while the server is away a watch attempts every one to two minutes, at most")
  void own() {
    ReturnSpread spread = new ReturnSpread(ReturnSpread.OF_NODES, random);
    Duration backoff = Duration.ofSeconds(4);
    Duration _ = spread.failed(0);
    assertThat(spread.own(backoff)).isEqualTo(backoff);
    for (int i = 0; i < 1000; i++) {
      Duration _ = spread.failed(20 * SECOND);
      assertThat(spread.own(backoff)).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(120));
    }
    spread.succeeded();
    assertThat(spread.own(backoff)).isEqualTo(backoff);
  }

  @Test
  @DisplayName("a controller returns at once")
  void controller() {
    ReturnSpread spread = new ReturnSpread(ReturnSpread.NONE, random);
    Duration _ = spread.failed(0);
    assertThat(spread.failed(20 * SECOND)).isZero();
    assertThat(spread.own(Duration.ofSeconds(4))).isEqualTo(Duration.ofSeconds(4));
  }
}
