package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeSnapshot.Entry;
import io.probelet.probe.engine.ProbeSnapshot.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ring keeps the newest outcomes in order, whole and small. */
class ProbeHistoryTest {
  private static final Instant T = Instant.parse("2026-11-21T12:00:00Z");

  private final ProbeHistory history = new ProbeHistory();

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 4, 5, 8, 9, 59, 60, 61, 130})
  @DisplayName("the last 60 outcomes, oldest first")
  void lastSixty(int outcomes) {
    for (int i = 0; i < outcomes; i++) {
      history.add(
          T.plusSeconds(i).toEpochMilli(),
          untimed(new Verdict.Failure("no. " + i)),
          Duration.ofMillis(i));
    }
    assertThat(history.newest(ProbeHistory.CAPACITY))
        .containsExactlyElementsOf(
            IntStream.range(Math.max(0, outcomes - 60), outcomes)
                .mapToObj(i ->
                    new Entry(
                        T.plusSeconds(i), Outcome.FAILED, Duration.ofMillis(i), "no. " + i, null))
                .toList());
  }

  @Test
  @DisplayName("long messages are cut to 256 characters")
  void cut() {
    history.add(T.toEpochMilli(), untimed(new Verdict.Success("x".repeat(10_000))), Duration.ZERO);
    assertThat(history.newest(ProbeHistory.CAPACITY).getFirst().message()).hasSize(256);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 5, 60, 61, 130})
  @DisplayName("what is said differently is kept beside what was said again and again")
  void another(int alike) {
    for (int i = 0; i < alike; i++) {
      history.add(T.toEpochMilli(), untimed(new Verdict.Success("fine")), Duration.ZERO);
    }
    history.add(T.toEpochMilli(), untimed(new Verdict.Success("busy")), Duration.ZERO);
    history.add(T.toEpochMilli(), untimed(new Verdict.Success("fine")), Duration.ZERO);
    assertThat(history.newest(ProbeHistory.CAPACITY))
        .extracting(Entry::message)
        .hasSize(Math.min(60, alike + 2))
        .endsWith("fine", "busy", "fine")
        .startsWith("fine")
        .containsOnlyOnce("busy");
  }

  @Test
  @DisplayName("every outcome has its word")
  void words() {
    history.add(T.toEpochMilli(), untimed(new Verdict.Success("")), Duration.ZERO);
    history.add(T.toEpochMilli(), untimed(new Verdict.Warning("")), Duration.ZERO);
    history.add(
        T.toEpochMilli(),
        untimed(new Verdict.ProberError(Verdict.Reason.STALLED, "")),
        Duration.ZERO);
    assertThat(history.newest(ProbeHistory.CAPACITY))
        .extracting(Entry::outcome)
        .containsExactly(Outcome.SUCCESSFUL, Outcome.WARNING, Outcome.ERROR);
  }

  @Test
  @DisplayName("phases are those of their own outcome, also after the ring has come round")
  void phases() {
    for (int i = 0; i < 130; i++) {
      ProbeTimings timings =
          i % 3 == 0
              ? ProbeTimings.of(5_000_000)
              : new ProbeTimings(0, -1, i * 10_000L, -1, i * 10_000L + 2_000_000, 9_000_000);
      history.add(
          T.plusSeconds(i).toEpochMilli(),
          new ProbeOutcome(new Verdict.Success(""), timings),
          Duration.ofMillis(9));
    }
    List<Entry> entries = history.newest(ProbeHistory.CAPACITY);
    assertThat(entries).hasSize(60);
    for (int i = 0; i < 60; i++) {
      int number = 70 + i;
      ProbePhases phases = entries.get(i).phases();
      if (number % 3 == 0) {
        assertThat(phases).isNull();
      } else {
        assertThat(phases.connect().toNanos())
            .isCloseTo(number * 10_000L, Percentage.withPercentage(0.1));
        assertThat(phases.firstByte().toNanos())
            .isCloseTo(2_000_000L, Percentage.withPercentage(0.1));
        assertThat(phases.tls()).isNull();
        assertThat(phases.resolve()).isNull();
        assertThat(phases.before()).isZero();
      }
    }
  }

  @Test
  @DisplayName("each phase is what it took itself; one that was not reached is none")
  void ownTimes() {
    history.add(
        T.toEpochMilli(),
        new ProbeOutcome(
            new Verdict.Failure("timed out"),
            new ProbeTimings(4_000_000, 6_000_000, 7_000_000, 15_000_000, -1, 1_000_000_000)),
        Duration.ofSeconds(1));
    assertThat(history.newest(1).getFirst().phases())
        .isEqualTo(
            new ProbePhases(
                Duration.ofMillis(4),
                Duration.ofMillis(2),
                Duration.ofMillis(1),
                Duration.ofMillis(8),
                null));
  }

  @Test
  @DisplayName("a phase longer than a minute is a minute")
  void longest() {
    history.add(
        T.toEpochMilli(),
        new ProbeOutcome(
            new Verdict.Failure("timed out"),
            new ProbeTimings(0, -1, 3_600_000_000_000L, -1, -1, 3_600_000_000_000L)),
        Duration.ofHours(1));
    assertThat(history.newest(1).getFirst().phases().connect())
        .isEqualTo(Duration.ofMillis(65_504));
  }

  private static ProbeOutcome untimed(Verdict verdict) {
    return new ProbeOutcome(verdict, ProbeTimings.of(1));
  }
}
