package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the first tick is due, and the next. */
class TickGridTest {
  private static final long AGENT_START = -Duration.ofHours(3).toNanos();

  @ParameterizedTest
  @CsvSource({"10, 10", "10, 11", "2, 2"})
  @DisplayName("W-1 a worker of an agent that is older than a period ticks at once")
  void olderAgent(long period, long age) {
    long now = AGENT_START + seconds(age);
    assertThat(TickGrid.first(now, AGENT_START, Duration.ofSeconds(period), new Random(7)))
        .isEqualTo(now);
  }

  @Test
  @DisplayName("W-1 long periods begin on one of 50 moments that all workers share")
  void moments() {
    long distance = seconds(10) / 50;
    Set<Long> moments = new TreeSet<>();
    Random random = new Random(7);
    for (int i = 0; i < 2000; i++) {
      long now = AGENT_START + 1 + random.nextLong(seconds(10) - 1);
      long first = TickGrid.first(now, AGENT_START, Duration.ofSeconds(10), random);
      assertThat(first).isBetween(now, now + seconds(10) + distance);
      assertThat(Math.floorMod(first, distance)).isZero();
    }
    for (int i = 0; i < 2000; i++) {
      moments.add(TickGrid.first(AGENT_START + 1, AGENT_START, Duration.ofSeconds(10), random));
    }
    assertThat(moments).hasSize(50);
  }

  @Test
  @DisplayName("W-1 a moment that is now is not put off")
  void momentNow() {
    assertThat(TickGrid.first(0, -1, Duration.ofSeconds(5), new FirstOnly())).isZero();
    assertThat(TickGrid.first(1, -1, Duration.ofSeconds(5), new FirstOnly()))
        .isEqualTo(seconds(5) / 50);
  }

  @Test
  @DisplayName("W-1 shorter periods begin anywhere in the period")
  void shortPeriod() {
    long now = AGENT_START + 5;
    Random random = new Random(7);
    Set<Long> parts = new TreeSet<>();
    for (int i = 0; i < 2000; i++) {
      long first = TickGrid.first(now, AGENT_START, Duration.ofMillis(4999), random);
      assertThat(first - now).isBetween(0L, seconds(5) - 1);
      parts.add(first);
    }
    assertThat(parts).hasSizeGreaterThan(1900);
  }

  @ParameterizedTest
  @CsvSource({"999, 9999, true", "100, 9999, true", "100, 10000, false", "1000, 1000, false"})
  @DisplayName(
      "W-1 periods below a second are spread for 10 s, in which an agent's first pods come")
  void shortest(long period, long age, boolean spread) {
    Set<Long> firsts = new TreeSet<>();
    Random random = new Random(7);
    long now = AGENT_START + Duration.ofMillis(age).toNanos();
    for (int i = 0; i < 2000; i++) {
      firsts.add(TickGrid.first(now, AGENT_START, Duration.ofMillis(period), random) - now);
    }
    if (spread) {
      assertThat(firsts).hasSizeGreaterThan(1900);
      assertThat(firsts).allMatch(first -> first >= 0 && first < period * 1_000_000);
    } else {
      assertThat(firsts).containsExactly(0L);
    }
  }

  @ParameterizedTest(name = "now {0}: next {1}")
  @CsvSource({"0, 10", "9, 10", "10, 20", "11, 20", "19, 20", "20, 30", "35, 40", "-7, 10"})
  @DisplayName("W-2 ticks keep to their grid, and those that are past are dropped")
  void grid(long now, long next) {
    assertThat(TickGrid.next(0, Duration.ofNanos(10), now)).isEqualTo(next);
    assertThat(TickGrid.next(100, Duration.ofNanos(10), now + 100)).isEqualTo(next + 100);
  }

  private static long seconds(long seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }

  /** Always the first of what there is. */
  private static final class FirstOnly extends Random {
    private static final long serialVersionUID = 1;

    @Override
    public int nextInt(int bound) {
      return 0;
    }
  }
}
