package io.probelet.monitor.track;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static io.probelet.health.ConditionStatus.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.ManualClock;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.rule.NamedRule;
import io.probelet.monitor.rule.NamedRule.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** B-17: rules that cannot be observed in this installation. */
class UnavailableTest {
  private static final ConditionSpec NEAR =
      ConditionSpec.of("LimitNear", "Far", "no limit is near");
  private static final Evidence MISSING = new Evidence.Unavailable("not permitted");
  private static final Evidence LOST = new Evidence.Lost("no answer");
  private static final Evidence WELL = new Evidence.Reported(FALSE, "");
  private static final Evidence BAD = new Evidence.Reported(TRUE, "full");
  private static final Duration HOLD = ConditionSpec.HOLD_FOR;

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-22T12:00:00Z"));
  private ConditionTracker tracker = tracker("pids", "inotify");

  private static ConditionTracker tracker(String... reasons) {
    return ConditionTracker.of(
        NEAR,
        List.of(reasons).stream()
            .map(
                reason -> TestRules.rule(reason, reason, EvidenceThreshold.NONE, Kind.ACTIVE, true))
            .toList());
  }

  private ClockReading now() {
    return ClockReading.of(clock);
  }

  private void see(String rule, Evidence evidence) {
    tracker = tracker.observe(rule, evidence, now());
  }

  private void pass(Duration time) {
    clock.advance(time);
    tracker = tracker.at(now());
  }

  private void assertSays(ConditionStatus status, String message) {
    assertThat(tracker.condition().map(Condition::status)).contains(status);
    assertThat(tracker.condition().map(Condition::message)).contains(message);
  }

  @Test
  @DisplayName("B-17 an unavailable rule sets no condition, and others do not wait for it")
  void absent() {
    tracker = tracker("inotify");
    assertThat(tracker.isUnavailable()).as("nobody has tried").isFalse();
    see("inotify", MISSING);
    assertThat(tracker.isUnavailable()).isTrue();
    pass(HOLD.multipliedBy(2));
    see("inotify", MISSING);
    assertThat(tracker.condition()).isEmpty();
    see("inotify", WELL);
    assertThat(tracker.isUnavailable()).isFalse();
    assertSays(FALSE, "no limit is near");
  }

  @Test
  @DisplayName("B-17 a condition observed by other rules names what is not checked")
  void oneOfSeveral() {
    see("pids", WELL);
    assertThat(tracker.condition()).as("B-4 not before all have been asked").isEmpty();
    see("inotify", MISSING);
    assertSays(FALSE, "no limit is near; not checked here: inotify");
    assertThat(tracker.observable()).containsExactly("pids");
    see("pids", BAD);
    assertSays(TRUE, "full");
    see("pids", WELL);
    see("inotify", WELL);
    assertSays(FALSE, "no limit is near");
    see("inotify", MISSING);
    pass(HOLD);
    assertSays(UNKNOWN, "not permitted");
  }

  @Test
  @DisplayName("B-17 a rule that worked before becomes Unknown when it fails")
  void once() {
    tracker = tracker("pids");
    see("pids", WELL);
    see("pids", MISSING);
    pass(HOLD.minusSeconds(1));
    assertSays(FALSE, "no limit is near");
    pass(Duration.ofSeconds(1));
    assertSays(UNKNOWN, "not permitted");
    assertThat(tracker.isUnavailable()).isFalse();
  }

  @Test
  @DisplayName("B-17 a failure is Unknown, even if the prerequisite was missing before")
  void failing() {
    tracker = tracker("pids");
    see("pids", MISSING);
    pass(HOLD.multipliedBy(2));
    see("pids", LOST);
    pass(HOLD.minusSeconds(1));
    assertThat(tracker.condition()).isEmpty();
    pass(Duration.ofSeconds(1));
    assertSays(UNKNOWN, "no answer");
    see("pids", MISSING);
    assertThat(tracker.condition()).isEmpty();
  }

  @Test
  @DisplayName("B-17, B-4 state of an earlier process is held for a while, then removed")
  void restarted() {
    see("pids", BAD);
    see("inotify", BAD);
    SavedCondition saved = tracker.save(now());
    tracker = tracker("pids", "inotify").restore(saved, now());
    see("pids", MISSING);
    see("inotify", MISSING);
    pass(HOLD.minusSeconds(1));
    assertThat(tracker.condition().map(Condition::status)).contains(TRUE);
    assertThat(tracker.isUnavailable()).isFalse();
    pass(Duration.ofSeconds(1));
    assertThat(tracker.condition()).isEmpty();
    assertThat(tracker.isUnavailable()).isTrue();
    SavedCondition forgotten = tracker.save(now());
    tracker = tracker("pids", "inotify").restore(forgotten, now());
    see("pids", MISSING);
    see("inotify", MISSING);
    assertThat(tracker.condition()).as("not once more after another restart").isEmpty();
  }

  @Test
  @DisplayName("B-17 an Unknown left on the Node by an earlier version is removed")
  void leftBehind() {
    Condition unknown =
        Condition.initial("LimitNear", clock.wallTime())
            .update(UNKNOWN, "NotObserved", "", List.of(), clock.wallTime());
    tracker = tracker("inotify").adopt(unknown, now());
    assertThat(tracker.condition()).isPresent();
    see("inotify", MISSING);
    assertThat(tracker.condition()).isEmpty();
  }

  @Test
  @DisplayName("B-17, B-1 a check that says OK does not make a log readable")
  void contradicted() {
    NamedRule log = TestRules.rule("kernel", "kernel", EvidenceThreshold.NONE, Kind.LOG, false);
    NamedRule check = TestRules.rule("mounts", "mounts", EvidenceThreshold.NONE, Kind.ACTIVE, true);
    tracker = ConditionTracker.of(NEAR, List.of(log, check));
    see("kernel", MISSING);
    see("mounts", WELL);
    assertSays(FALSE, "no limit is near; not checked here: kernel");
    pass(HOLD);
    see("kernel", MISSING);
    assertSays(FALSE, "no limit is near; not checked here: kernel");
  }
}
