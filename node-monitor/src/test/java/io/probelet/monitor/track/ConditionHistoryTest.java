package io.probelet.monitor.track;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.ManualClock;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.rule.NamedRule;
import io.probelet.monitor.track.ConditionHistory.PastStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConditionHistoryTest {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final List<NamedRule> RULES =
      List.of(
          TestRules.rule("Bad", "Bad", EvidenceThreshold.NONE, NamedRule.Kind.ACTIVE, false),
          TestRules.rule("Worse", "Worse", EvidenceThreshold.NONE, NamedRule.Kind.ACTIVE, false));
  private static final ConditionSpec THREE =
      new ConditionSpec(
          "Sick", "IsWell", "ok", Duration.ofMinutes(5), 3, Duration.ofMinutes(10), null);

  private final ManualClock clock = new ManualClock(START);
  private ConditionTracker tracker = ConditionTracker.of(THREE, RULES);

  private void report(String rule, ConditionStatus status, String message) {
    clock.advance(Duration.ofSeconds(1));
    tracker = tracker.observe(rule, new Evidence.Reported(status, message), ClockReading.of(clock));
  }

  private void well() {
    report("Bad", FALSE, "");
    report("Worse", FALSE, "");
  }

  @Test
  @DisplayName("B-18 each change of status or reason is kept with its time, repetitions are not")
  void changes() {
    well();
    report("Worse", TRUE, "first");
    report("Worse", TRUE, "second");
    report("Bad", TRUE, "third");
    assertThat(tracker.history().changes())
        .extracting(PastStatus::at, PastStatus::status, PastStatus::reason, PastStatus::message)
        .containsExactly(
            tuple(START.plusSeconds(2), FALSE, "IsWell", "ok"),
            tuple(START.plusSeconds(3), TRUE, "Worse", "first"),
            tuple(START.plusSeconds(5), TRUE, "Bad", "Bad: third; Worse: first"));
    assertThat(tracker.history().changesSince(START)).as("changes of the status").isEqualTo(1);
    assertThat(tracker.problems())
        .extracting(ConditionTracker.Problem::reason, ConditionTracker.Problem::since)
        .containsExactly(tuple("Bad", START.plusSeconds(5)), tuple("Worse", START.plusSeconds(3)));
  }

  @Test
  @DisplayName("B-18 changes hidden by flapping are kept, up to 60")
  void flapping() {
    well();
    for (int change = 0; change < 100; change++) {
      report("Bad", change % 2 == 0 ? TRUE : FALSE, "x");
    }
    assertThat(tracker.condition().orElseThrow().reason()).isEqualTo("Flapping");
    ConditionHistory history = tracker.history();
    assertThat(history.changes()).hasSize(ConditionHistory.MAX_CHANGES);
    assertThat(history.changes().getLast().status()).isEqualTo(FALSE);
    assertThat(history.changesSince(START)).isEqualTo(ConditionHistory.MAX_CHANGES - 1);
    assertThat(history.changesSince(clock.wallTime().minusSeconds(9))).isEqualTo(10);
    assertThat(history.changesSince(clock.wallTime().plusSeconds(1))).isZero();
  }

  @Test
  @DisplayName("B-18 long messages are truncated")
  void longMessages() {
    PastStatus past = new PastStatus(START, TRUE, "Bad", "x".repeat(1024));
    assertThat(past.message()).hasSize(PastStatus.MAX_MESSAGE_CHARS);
    PastStatus paired = new PastStatus(START, TRUE, "Bad", "x".repeat(255) + "\ud83d\ude00");
    assertThat(paired.message()).as("no half of a character").isEqualTo("x".repeat(255));
  }

  @Test
  @DisplayName(
      "B-18 it continues over a restart and changed rules, and begins with adopted " + "conditions")
  void kept() {
    well();
    report("Bad", TRUE, "x");
    ConditionHistory before = tracker.history();
    ConditionTracker restored =
        ConditionTracker.of(THREE, RULES)
            .restore(tracker.save(ClockReading.of(clock)), ClockReading.of(clock));
    assertThat(restored.history()).isEqualTo(before);
    assertThat(ConditionTracker.of(THREE, RULES).continueFrom(tracker).history()).isEqualTo(before);
    Condition onNode = new Condition("Sick", TRUE, START, START, "Bad", "seen", List.of());
    assertThat(
            ConditionTracker.of(THREE, RULES)
                .adopt(onNode, ClockReading.of(clock))
                .history()
                .changes())
        .containsExactly(new PastStatus(START, TRUE, "Bad", "seen"));
  }

  @Test
  @DisplayName("B-17, B-18 an unobservable condition has no history")
  void unavailable() {
    well();
    ConditionTracker before = tracker;
    tracker =
        ConditionTracker.of(THREE, RULES)
            .restore(before.save(ClockReading.of(clock)), ClockReading.of(clock));
    for (NamedRule rule : RULES) {
      Evidence missing = new Evidence.Unavailable("no such file");
      tracker = tracker.observe(rule.id(), missing, ClockReading.of(clock));
    }
    assertThat(tracker.history()).as("held for a while").isEqualTo(before.history());
    clock.advance(THREE.holdFor());
    tracker = tracker.at(ClockReading.of(clock));
    assertThat(tracker.condition()).isEmpty();
    assertThat(tracker.history()).isEqualTo(ConditionHistory.NONE);
  }
}
