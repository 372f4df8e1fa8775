package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import io.probelet.probe.engine.ProbePast.Interval;
import io.probelet.probe.engine.ProbePast.Uptime;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A day of outcomes in a few kilobytes, whatever the number of probes. */
class MinuteHistoryTest {
  private static final Instant T = Instant.parse("2026-11-21T12:00:00Z");

  /** Also tells differences apart from values: the monotonic clock starts anywhere. */
  private static final long ORIGIN = Long.MAX_VALUE - TimeUnit.HOURS.toNanos(2);

  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private final HistoryBudget budget = new HistoryBudget(HistoryBudget.NODE_BYTES, ORIGIN);
  private final MinuteHistory history = new MinuteHistory(budget);

  @Test
  @DisplayName("counts the last hour and the last 24 hours, and nothing older")
  void hourAndDay() {
    minutes(history, 0, 60, 6, 0);
    minutes(history, 60, 24 * 60, 5, 1);
    minutes(history, 24 * 60, 24 * 60 + 30, 6, 0);

    ProbePast past = at(24 * 60 + 29);
    Uptime hour = notNull(past.hour());
    assertThat(hour.percent()).isCloseTo(100 * (30 + 30 * 5 / 6.0) / 60, within(1e-9));
    assertThat(hour.up()).isEqualTo(330);
    assertThat(hour.failed()).isEqualTo(30);
    Uptime day = notNull(past.day());
    assertThat(day.up()).isEqualTo(60 * 6 + (24 * 60 - 60) * 5);
    assertThat(day.failed()).isEqualTo(24 * 60 - 60);
    assertThat(past.since()).isEqualTo(T.plus(Duration.ofMinutes(30)));
    assertThat(past.resolution()).isEqualTo(Duration.ofMinutes(1));
    assertThat(past.shortened()).isFalse();
  }

  @Test
  @DisplayName("one failure in a day is less than 100 percent")
  void oneFailure() {
    minutes(history, 0, 700, 6, 0);
    add(history, 700, false, 1);
    minutes(history, 701, 1_400, 6, 0);
    assertThat(notNull(at(1_400).day()).percent()).isLessThan(100).isGreaterThan(99.9);
    assertThat(notNull(at(1_400).hour()).percent()).isEqualTo(100);
  }

  @Test
  @DisplayName("a probe that fails is asked more often; its failures weigh no more for that")
  void failingPeriod() {
    minutes(history, 0, 30, 6, 0);
    minutes(history, 30, 60, 0, 60);
    assertThat(notNull(at(59).hour()).percent()).isEqualTo(50);
  }

  @Test
  @DisplayName("minutes without an outcome count neither as up nor as failed")
  void gaps() {
    minutes(history, 0, 10, 6, 0);
    minutes(history, 40, 50, 0, 6);
    ProbePast past = at(59);
    assertThat(past.hour()).isEqualTo(new Uptime(50, 60, 60));
    assertThat(past.intervals()).hasSize(20);
    assertThat(past.intervals().get(10).start()).isEqualTo(T.plus(Duration.ofMinutes(40)));
  }

  @Test
  @DisplayName("before the first outcome, and a day after the last, there is nothing to tell")
  void nothing() {
    assertThat(at(5).day()).isNull();
    assertThat(at(5).since()).isNull();
    minutes(history, 0, 10, 6, 0);
    assertThat(at(9).day()).isEqualTo(new Uptime(100, 60, 0));
    assertThat(at(24 * 60 + 5).day()).isEqualTo(new Uptime(100, 24, 0));
    assertThat(at(24 * 60 + 5).hour()).isNull();
    assertThat(at(24 * 60 + 10).day()).isNull();
    assertThat(at(24 * 60 + 10).since()).isNull();
  }

  @Test
  @DisplayName("since tells the first outcome, not the begin of its minute")
  void since() {
    history.add(nanos(3) + TimeUnit.SECONDS.toNanos(42), true, MILLI);
    assertThat(at(4).since()).isEqualTo(T.plusSeconds(3 * 60 + 42));
  }

  @Test
  @DisplayName("a step of the wall clock moves all times alike and loses nothing")
  void clockStep() {
    minutes(history, 0, 30, 6, 0);
    Instant stepped = T.minus(Duration.ofDays(300));
    ProbePast past = history.past(nanos(30), stepped, 10);
    assertThat(past.since()).isEqualTo(stepped.minus(Duration.ofMinutes(30)));
    assertThat(past.hour()).isEqualTo(new Uptime(100, 180, 0));
  }

  @ParameterizedTest
  @CsvSource({"1, 0.01", "1, 1", "50, 1", "10, 30000", "300, 7", "2, 200000", "2, 1000000"})
  @DisplayName("latencies are told to 15 percent, from 16 µs to four minutes")
  void latencies(int count, double millis) {
    for (int i = 0; i < count; i++) {
      history.add(nanos(0), true, (long) (millis * MILLI));
    }
    Interval only = at(0).intervals().getFirst();
    double bounded = Math.min(251_000, millis);
    double found = only.p50().toNanos() / (double) MILLI;
    assertThat(found).isCloseTo(bounded, within(Math.max(0.008, bounded * 0.15)));
    assertThat(only.p99()).isEqualTo(only.p50());
  }

  @Test
  @DisplayName(
      "the slowest percent shows in p99 only, also after thousands of outcomes in a minute")
  void percentiles() {
    for (int i = 0; i < 5_000; i++) {
      history.add(nanos(0), true, i % 50 == 0 ? 900 * MILLI : 2 * MILLI);
    }
    Interval only = at(0).intervals().getFirst();
    assertThat(only.p50().toMillis()).isBetween(1L, 2L);
    assertThat(only.p99().toMillis()).isBetween(765L, 1_035L);
    assertThat(only.up()).isCloseTo(5_000, within(200L));
  }

  @Test
  @DisplayName("a day comes in as many intervals as are asked for, and no more")
  void intervals() {
    minutes(history, 0, 24 * 60, 5, 1);
    for (int wanted : new int[] {2, 10, 96, 144}) {
      ProbePast past = at(24 * 60 - 1, wanted);
      assertThat(past.intervals()).hasSizeBetween(wanted / 2, wanted);
      assertThat(past.intervals().stream().mapToLong(Interval::failed).sum())
          .isCloseTo(24 * 60, within(60L));
      assertThat(past.step().toMinutes()).isPositive();
    }
    assertThat(at(24 * 60 - 1, 144).step()).isEqualTo(Duration.ofMinutes(11));
  }

  @Test
  @DisplayName("with many probes a bucket covers more minutes, and the limit of bytes holds")
  void manyProbes() {
    minutes(history, 0, 24 * 60, 5, 1);
    List<MinuteHistory> many = new ArrayList<>(List.of(history));
    while (many.size() < 2_000) {
      many.add(new MinuteHistory(budget));
    }
    long most = 0;
    for (int minute = 24 * 60; minute < 60 * 60; minute++) {
      for (MinuteHistory each : many) {
        add(each, minute, minute % 2 == 0, 3);
      }
      most = Math.max(most, budget.used());
    }
    assertThat(most).isBetween(HistoryBudget.NODE_BYTES / 2, HistoryBudget.NODE_BYTES);
    for (MinuteHistory each : List.of(history, many.get(1), many.getLast())) {
      ProbePast past = each.past(nanos(60 * 60 - 1), T, 144);
      assertThat(past.resolution()).isEqualTo(Duration.ofMinutes(4));
      assertThat(past.shortened()).isFalse();
      assertThat(notNull(past.day()).percent()).isCloseTo(50, within(0.5));
      assertThat(notNull(past.day()).up()).isCloseTo(720, within(4L));
      assertThat(notNull(past.since()))
          .isBefore(T.minus(Duration.ofHours(23)))
          .isAfterOrEqualTo(T.minus(Duration.ofHours(24)));
    }
    many.forEach(MinuteHistory::close);
    assertThat(budget.used()).isZero();
  }

  @Test
  @DisplayName("what was found survives when buckets become wider")
  void widened() {
    minutes(history, 0, 101, 5, 1);
    for (int i = 0; i < 1_600; i++) { // two minutes from 877 probes on, four from 1,671
      add(new MinuteHistory(budget), 101, true, 1);
    }
    minutes(history, 101, 121, 5, 1);
    ProbePast past = at(120);
    assertThat(past.resolution()).isEqualTo(Duration.ofMinutes(2));
    assertThat(notNull(past.day()).failed()).isEqualTo(121);
    assertThat(notNull(past.day()).up()).isEqualTo(5 * 121);
    assertThat(past.since()).isEqualTo(T);
  }

  @Test
  @DisplayName("beyond all limits history is left out and that is said, and memory stays bounded")
  void tooMany() {
    List<MinuteHistory> many = new ArrayList<>();
    while (many.size() < 30_000) {
      many.add(new MinuteHistory(budget));
    }
    for (int minute = 0; minute < 3_000; minute += 60) {
      for (MinuteHistory each : many) {
        add(each, minute, true, 3);
      }
    }
    assertThat(budget.used()).isLessThanOrEqualTo(HistoryBudget.NODE_BYTES);
    ProbePast last = many.getLast().past(nanos(3_000), T, 144);
    assertThat(last.shortened()).isTrue();
    assertThat(last.day()).isNull();

    many.subList(0, 29_000).forEach(MinuteHistory::close);
    add(many.getLast(), 3_001, true, 3);
    ProbePast later = many.getLast().past(nanos(3_001), T, 144);
    assertThat(later.day())
        .as("memory that is given back is used again")
        .isEqualTo(new Uptime(100, 1, 0));
    assertThat(later.shortened()).isFalse();
  }

  @Test
  @DisplayName("a history that cannot grow drops its oldest bucket and says so")
  void shortened() {
    HistoryBudget small = new HistoryBudget(MinuteHistory.bytes(20), ORIGIN);
    MinuteHistory one = new MinuteHistory(small);
    minutes(one, 0, 12 * 64, 1, 0);
    ProbePast past = one.past(nanos(12 * 64 - 1), T, 144);
    assertThat(past.shortened()).isFalse();
    minutes(one, 12 * 64, 24 * 64, 1, 0);
    past = one.past(nanos(24 * 64 - 1), T, 144);
    assertThat(past.shortened()).isTrue();
    assertThat(notNull(past.since())).isAfter(T.minus(Duration.ofMinutes(17 * 64)));
    assertThat(small.used()).isLessThanOrEqualTo(MinuteHistory.bytes(20));
  }

  @Test
  @DisplayName("an outcome within a minute allocates nothing")
  void allocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    add(history, 0, true, 1);
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 100_000; i++) {
      add(history, 0, i % 3 > 0, i % 100);
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
  }

  @Test
  @DisplayName("a closed history counts no more")
  void closed() {
    minutes(history, 0, 10, 6, 0);
    history.close();
    history.close();
    add(history, 11, true, 1);
    assertThat(budget.used()).isZero();
    assertThat(at(11).day()).isNull();
  }

  private static void minutes(MinuteHistory to, int from, int end, int up, int failed) {
    for (int minute = from; minute < end; minute++) {
      for (int i = 0; i < up + failed; i++) {
        add(to, minute, i < up, 2);
      }
    }
  }

  private static void add(MinuteHistory to, int minute, boolean success, int millis) {
    to.add(nanos(minute), success, millis * MILLI);
  }

  private static long nanos(int minute) {
    return ORIGIN + TimeUnit.MINUTES.toNanos(minute);
  }

  private ProbePast at(int minute) {
    return at(minute, 100);
  }

  private ProbePast at(int minute, int intervals) {
    return history.past(nanos(minute), T.plus(Duration.ofMinutes(minute)), intervals);
  }

  private static <X> X notNull(@Nullable X value) {
    assertThat(value).isNotNull();
    return java.util.Objects.requireNonNull(value);
  }
}
