package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the first tick is due. */
class StartJitterTest {
  private static final long AGENT_START = -Duration.ofHours(3).toNanos();

  @ParameterizedTest
  @CsvSource({"10, 10", "10, 11", "2, 2"})
  @DisplayName("W-1 a worker of an agent that is older than a period ticks at once")
  void olderAgent(long period, long age) {
    long now = AGENT_START + seconds(age);
    assertThat(new StartJitter(AGENT_START, new Random(7)).next(now, Duration.ofSeconds(period)))
        .isEqualTo(now);
  }

  @Test
  @DisplayName("W-1 long periods begin on one of 50 moments that all workers share")
  void moments() {
    long distance = seconds(10) / 50;
    Set<Long> moments = new TreeSet<>();
    StartJitter ticks = new StartJitter(AGENT_START, new Random(7));
    Random random = new Random(7);
    for (int i = 0; i < 400; i++) {
      long now = AGENT_START + 1 + random.nextLong(seconds(10) - 1);
      long first = ticks.next(now, Duration.ofSeconds(10));
      assertThat(first).isBetween(now, now + seconds(10) + distance);
      assertThat(Math.floorMod(first, distance)).isZero();
    }
    for (int i = 0; i < 400; i++) {
      moments.add(ticks.next(AGENT_START + 1, Duration.ofSeconds(10)));
    }
    assertThat(moments).hasSize(50);
  }

  @ParameterizedTest
  @CsvSource({"10, 800, 50", "10, 801, 100", "10, 1601, 200", "10, 20000, 1600", "5, 13000, 800"})
  @DisplayName(
      "W-1 where more than 16 would meet there are twice as many moments, 4 ms apart at least")
  void manyWorkers(long period, int workers, int moments) {
    StartJitter ticks = new StartJitter(AGENT_START, new Random(7));
    Map<Long, Integer> met = new TreeMap<>();
    for (int i = 0; i < workers; i++) {
      long first = ticks.next(AGENT_START + 1, Duration.ofSeconds(period));
      assertThat(Math.floorMod(first, seconds(period) / moments)).isZero();
      assertThat(first).isBetween(AGENT_START, AGENT_START + seconds(period) * 11 / 10);
      met.merge(first, 1, Integer::sum);
    }
    assertThat(met).hasSizeBetween(Math.min(moments, workers / 16), moments);
    assertThat(Collections.max(met.values())).isLessThan(40);
  }

  @ParameterizedTest
  @CsvSource({
    "10000, 799, 0",
    "10000, 800, 100",
    "10000, 1599, 100",
    "10000, 1600, 50",
    "6400, 12799, 8",
    "6400, 12800, 4",
    "6400, 25600, 0",
    "6399, 12800, 0",
  })
  @DisplayName(
      "W-1 new moments lie between the old ones until they are as full, 4 ms apart at least")
  void newMoments(long periodMillis, int before, long firstMillis) {
    StartJitter ticks = new StartJitter(-1, new FirstOnly());
    Duration period = Duration.ofMillis(periodMillis);
    for (int worker = 0; worker < before; worker++) {
      var _ = ticks.next(0, period);
    }
    assertThat(ticks.next(0, period)).isEqualTo(Duration.ofMillis(firstMillis).toNanos());
  }

  @Test
  @DisplayName("W-1 a moment that is now is not put off")
  void momentNow() {
    assertThat(new StartJitter(-1, new FirstOnly()).next(0, Duration.ofSeconds(5))).isZero();
    assertThat(new StartJitter(-1, new FirstOnly()).next(1, Duration.ofSeconds(5)))
        .isEqualTo(seconds(5) / 50);
  }

  @Test
  @DisplayName("W-1 shorter periods begin anywhere in the period")
  void shortPeriod() {
    long now = AGENT_START + 5;
    StartJitter ticks = new StartJitter(AGENT_START, new Random(7));
    Set<Long> parts = new TreeSet<>();
    for (int i = 0; i < 2000; i++) {
      long first = ticks.next(now, Duration.ofMillis(4999));
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
    StartJitter ticks = new StartJitter(AGENT_START, new Random(7));
    long now = AGENT_START + Duration.ofMillis(age).toNanos();
    for (int i = 0; i < 2000; i++) {
      firsts.add(ticks.next(now, Duration.ofMillis(period)) - now);
    }
    if (spread) {
      assertThat(firsts).hasSizeGreaterThan(1900);
      assertThat(firsts).allMatch(first -> first >= 0 && first < period * 1_000_000);
    } else {
      assertThat(firsts).containsExactly(0L);
    }
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
