package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** W-12: what counts as a stall of our own. */
class StallWatchTest {
  private final VirtualLoop loop = new VirtualLoop();
  private final StallWatch watch = new StallWatch(loop);

  @ParameterizedTest
  @CsvSource({
    "90, 1000, false",
    "100, 1000, true",
    "400, 5000, false",
    "500, 5000, true",
    "99, 100, false"
  })
  @DisplayName("W-12 a stall counts from a tenth of the timeout, and from 100 ms")
  void limit(long stallMillis, long timeoutMillis, boolean stalled) {
    int start = begin();
    loop.advance(Duration.ofMillis(50));
    loop.stall(Duration.ofMillis(stallMillis));
    assertThat(watch.stalledSince(start, Duration.ofMillis(timeoutMillis))).isEqualTo(stalled);
  }

  @Test
  @DisplayName("W-12 a busy loop that keeps its beat has not stalled")
  void noStall() {
    int start = begin();
    loop.advance(Duration.ofSeconds(30));
    assertThat(watch.stalledSince(start, Duration.ofSeconds(1))).isFalse();
  }

  @Test
  @DisplayName("W-12 a stall that ended before the probe began is not blamed on it")
  void earlierStall() {
    begin();
    loop.stall(Duration.ofSeconds(30));
    int second = begin();
    loop.advance(Duration.ofMillis(200));
    assertThat(watch.stalledSince(second, Duration.ofSeconds(1))).isFalse();
  }

  @Test
  @DisplayName("W-12 a suspended machine, which only the wall clock tells, has stalled")
  void suspended() {
    int start = begin();
    loop.time().stepWallClock(Duration.ofMinutes(5));
    assertThat(watch.stalledSince(start, Duration.ofSeconds(1))).isTrue();
  }

  @Test
  @DisplayName("W-12 a wall clock set back is no stall")
  void clockSetBack() {
    int start = begin();
    loop.time().stepWallClock(Duration.ofMinutes(-5));
    assertThat(watch.stalledSince(start, Duration.ofSeconds(1))).isFalse();
  }

  @Test
  @DisplayName("a stall is still known after others, as long as the probe runs")
  void severalStalls() {
    int start = begin();
    loop.stall(Duration.ofSeconds(1));
    loop.advance(Duration.ofSeconds(1));
    for (int i = 0; i < 10; i++) {
      loop.stall(Duration.ofMillis(100));
      loop.advance(Duration.ofMillis(100));
    }
    assertThat(watch.stalledSince(start, Duration.ofMillis(900))).isTrue();
  }

  private int begin() {
    watch.probeStarted();
    return watch.mark();
  }
}
