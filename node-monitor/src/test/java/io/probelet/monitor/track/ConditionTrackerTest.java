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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionTrackerTest {
  private static final ConditionSpec SICK = ConditionSpec.of("Sick", "IsWell", "all is well");
  private static final Evidence WATCHING = new Evidence.Watching();
  private static final Evidence CLEARED = new Evidence.Cleared();

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T12:00:00Z"));

  private static Evidence matched(String text) {
    return new Evidence.Matched(text);
  }

  private static Evidence reported(ConditionStatus status, String message) {
    return new Evidence.Reported(status, message);
  }

  private static Evidence lost() {
    return new Evidence.Lost("the log is gone");
  }

  private static NamedRule log(String reason, EvidenceThreshold threshold) {
    return TestRules.rule(reason, reason, threshold, Kind.LOG, false);
  }

  private static NamedRule check(String reason, EvidenceThreshold threshold) {
    return TestRules.rule(reason, reason, threshold, Kind.ACTIVE, false);
  }

  private static EvidenceThreshold debounce(long seconds) {
    return EvidenceThreshold.NONE.withDebounce(Duration.ofSeconds(seconds));
  }

  private ClockReading now() {
    return ClockReading.of(clock);
  }

  /** A tracker with the clock it lives by. */
  private final class Story {
    private ConditionTracker tracker;

    Story(ConditionSpec spec, NamedRule... rules) {
      tracker = ConditionTracker.of(spec, List.of(rules));
    }

    Story(NamedRule... rules) {
      this(SICK, rules);
    }

    Story see(String rule, Evidence evidence) {
      tracker = tracker.observe(rule, evidence, now());
      return this;
    }

    Story pass(long seconds) {
      clock.advance(Duration.ofSeconds(seconds));
      tracker = tracker.at(now());
      return this;
    }

    Condition condition() {
      return tracker.condition().orElseThrow();
    }

    Story is(ConditionStatus status, String reason) {
      assertThat(condition().status()).isEqualTo(status);
      assertThat(condition().reason()).isEqualTo(reason);
      return this;
    }
  }

  @Test
  @DisplayName(
      "A-4, NM-2 a permanent rule makes the condition True once; a repetition is no change")
  void oneMatchIsEnough() {
    Story story =
        new Story(log("Bad", EvidenceThreshold.NONE)).see("Bad", WATCHING).is(FALSE, "IsWell");
    story.pass(5).see("Bad", matched("it broke")).is(TRUE, "Bad");
    Condition first = story.condition();
    assertThat(first.message()).isEqualTo("it broke");
    assertThat(story.pass(5).see("Bad", matched("it broke")).condition()).isSameAs(first);
    assertThat(story.see("Bad", matched("it broke differently")).condition()).isSameAs(first);
  }

  @Test
  @DisplayName("B-1 a clear pattern ends it")
  void clearPattern() {
    new Story(log("Bad", EvidenceThreshold.NONE))
        .see("Bad", matched("down"))
        .is(TRUE, "Bad")
        .see("Bad", CLEARED)
        .is(FALSE, "IsWell");
  }

  @Test
  @DisplayName("B-1 clearAfter counts from the last match")
  void clearAfter() {
    EvidenceThreshold tenMinutes =
        new EvidenceThreshold(1, Duration.ZERO, Duration.ZERO, Duration.ofMinutes(10));
    Story story = new Story(log("Bad", tenMinutes)).see("Bad", matched("down")).pass(500);
    story.see("Bad", matched("down again")).pass(599).is(TRUE, "Bad");
    assertThat(story.tracker.nextWakeUp()).contains(now().plus(Duration.ofSeconds(1)));
    story.pass(1).is(FALSE, "IsWell");
    assertThat(story.tracker.nextWakeUp().map(moment -> moment.since(now())))
        .as("nothing but the end of the flapping window is left")
        .hasValueSatisfying(wait -> assertThat(wait).isPositive());
  }

  @Test
  @DisplayName("B-1 the check of the same condition saying OK clears what a log said")
  void activeCheckClears() {
    Story story =
        new Story(log("Logged", EvidenceThreshold.NONE), check("Checked", EvidenceThreshold.NONE));
    story.see("Logged", WATCHING).see("Checked", reported(FALSE, "")).is(FALSE, "IsWell");
    story.see("Logged", matched("down")).is(TRUE, "Logged");
    story.see("Checked", reported(UNKNOWN, "?")).is(TRUE, "Logged");
    story.see("Checked", reported(FALSE, "")).is(FALSE, "IsWell");
  }

  @ParameterizedTest
  @CsvSource({"0 10 20, true", "0 40 80, false", "0 0 59, true", "0 10, false"})
  @DisplayName("B-2 minCount within window")
  void countInWindow(String seconds, boolean holds) {
    EvidenceThreshold threeInAMinute =
        new EvidenceThreshold(3, Duration.ofMinutes(1), Duration.ZERO, null);
    Story story = new Story(log("Bad", threeInAMinute)).see("Bad", WATCHING);
    Instant start = clock.wallTime();
    for (String second : seconds.split(" ", -1)) {
      Duration ahead =
          Duration.between(clock.wallTime(), start.plusSeconds(Long.parseLong(second)));
      story.pass(ahead.toSeconds()).see("Bad", matched("again"));
    }
    assertThat(story.condition().status()).isEqualTo(holds ? TRUE : FALSE);
  }

  @Test
  @DisplayName("B-2 minCount within window: plugin results count like lines")
  void countOfPlugin() {
    EvidenceThreshold threeInAMinute =
        new EvidenceThreshold(3, Duration.ofMinutes(1), Duration.ZERO, null);
    Story story = new Story(check("Bad", threeInAMinute)).see("Bad", reported(FALSE, ""));
    story.see("Bad", reported(TRUE, "x")).pass(30).see("Bad", reported(TRUE, "x"));
    story.pass(31).see("Bad", reported(TRUE, "x")).is(FALSE, "IsWell");
    story.see("Bad", reported(FALSE, "")).pass(29).see("Bad", reported(TRUE, "x")).is(TRUE, "Bad");
    story.pass(600).see("Bad", reported(TRUE, "x")).is(TRUE, "Bad");
    story.see("Bad", reported(FALSE, "")).is(FALSE, "IsWell");
  }

  @Test
  @DisplayName("B-2 debounce works in both directions, and a contradiction restarts it")
  void debounceBothWays() {
    Story story = new Story(check("Bad", debounce(60))).see("Bad", reported(FALSE, ""));
    story.pass(30).see("Bad", reported(TRUE, "slow"));
    story.pass(59).see("Bad", reported(TRUE, "slow")).is(FALSE, "IsWell");
    story.see("Bad", reported(FALSE, "")).see("Bad", reported(TRUE, "slow"));
    story.pass(59).see("Bad", reported(TRUE, "slow")).is(FALSE, "IsWell");
    story.pass(1).see("Bad", reported(TRUE, "slow")).is(TRUE, "Bad");
    story.see("Bad", reported(FALSE, "")).pass(59).see("Bad", reported(FALSE, "")).is(TRUE, "Bad");
    story.pass(1).see("Bad", reported(FALSE, "")).is(FALSE, "IsWell");
  }

  @Test
  @DisplayName(
      "B-2 a problem that recovers within the debounce is not reported: another run is "
          + "required")
  void recoveredBeforeItWasTold() {
    Story story = new Story(check("Bad", debounce(45))).see("Bad", reported(FALSE, ""));
    story.see("Bad", reported(TRUE, "down")).pass(30).see("Bad", reported(TRUE, "down"));
    story.pass(15).is(FALSE, "IsWell"); // 5 s ago it came back, and nobody has looked since
    assertThat(story.tracker.nextWakeUp()).as("time alone changes nothing").isEmpty();
    story.pass(15).see("Bad", reported(FALSE, "")).is(FALSE, "IsWell");
    assertThat(story.condition().lastTransitionTime()).isEqualTo(clock.wallTime().minusSeconds(60));
    story.see("Bad", reported(TRUE, "down")).pass(60).see("Bad", reported(TRUE, "down"));
    story.is(TRUE, "Bad");
  }

  @Test
  @DisplayName(
      "B-2 a line needs no repetition: it counts when its debounce is over, Watching or " + "not")
  void lineWithDebounce() {
    Story story = new Story(log("Bad", debounce(60))).see("Bad", matched("down"));
    story.see("Bad", WATCHING).is(FALSE, "IsWell").pass(59).is(FALSE, "IsWell");
    assertThat(story.tracker.nextWakeUp()).contains(now().plus(Duration.ofSeconds(1)));
    story.pass(1).is(TRUE, "Bad");
  }

  @Test
  @DisplayName("B-4 a restart in the middle of a debounce loses no line")
  void restartWhileWaiting() {
    NamedRule rule = log("Bad", debounce(60));
    Story before = new Story(rule).see("Bad", WATCHING).see("Bad", matched("down")).pass(30);
    SavedCondition saved = before.tracker.save(now());
    Story after = new Story(rule);
    after.tracker = after.tracker.restore(saved, now());
    after.see("Bad", WATCHING).pass(29).is(FALSE, "IsWell").pass(1).is(TRUE, "Bad");
  }

  @Test
  @DisplayName("B-1 clearAfter: repeated plugin results extend the problem")
  void clearAfterOfPlugin() {
    EvidenceThreshold minute =
        new EvidenceThreshold(1, Duration.ZERO, Duration.ZERO, Duration.ofMinutes(1));
    Story story = new Story(check("Bad", minute)).see("Bad", reported(TRUE, "x"));
    story.pass(40).see("Bad", reported(TRUE, "x")).pass(40).is(TRUE, "Bad");
    story.pass(20).is(FALSE, "IsWell");
  }

  @Test
  @DisplayName("B-2 flapping is held True with reason Flapping until it has been calm")
  void flapping() {
    ConditionSpec four =
        new ConditionSpec(
            "Sick", "IsWell", "ok", Duration.ofMinutes(5), 4, Duration.ofMinutes(10), null);
    Story story =
        new Story(four, check("Bad", EvidenceThreshold.NONE)).see("Bad", reported(FALSE, ""));
    for (int change = 0; change < 3; change++) {
      ConditionStatus next = change % 2 == 0 ? TRUE : FALSE;
      story.pass(30).see("Bad", reported(next, "x")).is(next, next == TRUE ? "Bad" : "IsWell");
    }
    story.pass(30).see("Bad", reported(FALSE, "")).is(TRUE, "Flapping");
    Instant since = story.condition().lastTransitionTime();
    story.pass(30).see("Bad", reported(TRUE, "x")).see("Bad", reported(FALSE, ""));
    story.pass(480).is(TRUE, "Flapping");
    assertThat(story.condition().lastTransitionTime()).isEqualTo(since);
    story.pass(60).is(FALSE, "IsWell");
  }

  @Test
  @DisplayName("B-3, NM-6 two rules on one condition, one bad: True and steady")
  void worstOf() {
    Story story =
        new Story(check("Disk", EvidenceThreshold.NONE), check("Net", EvidenceThreshold.NONE));
    story.see("Disk", reported(FALSE, "")).see("Net", reported(TRUE, "no route")).is(TRUE, "Net");
    Condition bad = story.condition();
    for (int round = 0; round < 5; round++) {
      story.pass(30).see("Disk", reported(FALSE, "")).see("Net", reported(TRUE, "no route"));
      assertThat(story.condition()).isSameAs(bad);
    }
    story.see("Disk", reported(TRUE, "full")).is(TRUE, "Disk");
    assertThat(story.condition().message()).isEqualTo("Disk: full; Net: no route");
    assertThat(story.condition().lastTransitionTime()).isEqualTo(bad.lastTransitionTime());
    story.see("Net", reported(UNKNOWN, "?")).is(TRUE, "Disk");
    story.see("Disk", reported(FALSE, "")).is(UNKNOWN, "IsWell");
    story.see("Net", reported(FALSE, "")).is(FALSE, "IsWell");
  }

  @Test
  @DisplayName(
      "B-4 the condition is absent before all rules were evaluated, unless one has a " + "problem")
  void nothingUnchecked() {
    Story story =
        new Story(check("Disk", EvidenceThreshold.NONE), check("Net", EvidenceThreshold.NONE));
    story.see("Disk", reported(FALSE, ""));
    assertThat(story.tracker.condition()).isEmpty();
    story.see("Net", reported(TRUE, "no route")).is(TRUE, "Net");
  }

  @Test
  @DisplayName("B-4, NM-8 a restart keeps the condition, its times and pending changes")
  void restart() {
    EvidenceThreshold twoInAMinute =
        new EvidenceThreshold(2, Duration.ofMinutes(1), Duration.ZERO, Duration.ofMinutes(10));
    NamedRule rule = log("Bad", twoInAMinute);
    Story before = new Story(rule).see("Bad", WATCHING).see("Bad", matched("one"));
    SavedCondition halfWay = before.tracker.save(now());
    clock.advance(Duration.ofSeconds(30));
    Story after = new Story(rule);
    after.tracker = after.tracker.restore(halfWay, now());
    after.see("Bad", WATCHING).see("Bad", matched("two")).is(TRUE, "Bad");
    Condition bad = after.condition();

    SavedCondition saved = after.tracker.save(now());
    clock.advance(Duration.ofMinutes(5));
    Story again = new Story(rule);
    again.tracker = again.tracker.restore(saved, now());
    assertThat(again.see("Bad", WATCHING).condition()).isEqualTo(bad);
    again.pass(299).is(TRUE, "Bad").pass(1).is(FALSE, "IsWell");
  }

  @Test
  @DisplayName("B-4, NM-8 conditions on the node are adopted: True stays, with its transition time")
  void adoption() {
    Condition onNode =
        new Condition(
            "Sick",
            TRUE,
            clock.wallTime().minusSeconds(3600),
            clock.wallTime(),
            "Bad",
            "it broke",
            List.of());
    Story story = new Story(log("Bad", EvidenceThreshold.NONE));
    story.tracker = story.tracker.adopt(onNode, now());
    assertThat(story.see("Bad", WATCHING).condition()).isEqualTo(onNode);
    story.see("Bad", CLEARED).is(FALSE, "IsWell");
  }

  @Test
  @DisplayName(
      "B-5 without observation the last state stays for holdFor, then Unknown, never False")
  void noObservation() {
    Story story = new Story(check("Bad", EvidenceThreshold.NONE)).see("Bad", reported(TRUE, "x"));
    story.see("Bad", lost()).pass(200).see("Bad", lost()).pass(99).is(TRUE, "Bad");
    assertThat(story.tracker.nextWakeUp()).contains(now().plus(Duration.ofSeconds(1)));
    story.pass(1).is(UNKNOWN, "NotObserved");
    assertThat(story.condition().message()).isEqualTo("the log is gone");
    story.see("Bad", reported(FALSE, "")).is(FALSE, "IsWell");
  }

  @Test
  @DisplayName("B-5 a log that is readable again continues with its earlier state")
  void logComesBack() {
    Story story = new Story(log("Bad", EvidenceThreshold.NONE)).see("Bad", matched("x"));
    story.see("Bad", lost()).pass(300).is(UNKNOWN, "NotObserved");
    story.see("Bad", WATCHING).is(TRUE, "Bad");
  }

  @Test
  @DisplayName("B-5 a source that never worked is Unknown after holdFor, not healthy")
  void neverSeen() {
    Story story = new Story(log("Bad", EvidenceThreshold.NONE)).see("Bad", lost());
    assertThat(story.tracker.condition()).isEmpty();
    story.pass(300).is(UNKNOWN, "NotObserved");
  }

  @Test
  @DisplayName("A-6, NM-4 a plugin's results count immediately: False, True, Unknown")
  void plugin() {
    new Story(check("Bad", EvidenceThreshold.NONE))
        .see("Bad", reported(FALSE, "fine"))
        .is(FALSE, "IsWell")
        .see("Bad", reported(TRUE, "not fine"))
        .is(TRUE, "Bad")
        .see("Bad", reported(UNKNOWN, "no idea"))
        .is(UNKNOWN, "IsWell");
  }

  @Test
  @DisplayName("A-5 a new message changes the condition only if configured")
  void messageChanges() {
    Story steady = new Story(check("Bad", EvidenceThreshold.NONE));
    steady.see("Bad", reported(TRUE, "90 %")).see("Bad", reported(TRUE, "91 %"));
    assertThat(steady.condition().message()).isEqualTo("90 %");
    Story live = new Story(TestRules.rule("Bad", "Bad", EvidenceThreshold.NONE, Kind.ACTIVE, true));
    live.see("Bad", reported(TRUE, "90 %")).pass(30).see("Bad", reported(TRUE, "91 %"));
    assertThat(live.condition().message()).isEqualTo("91 %");
    assertThat(live.condition().lastTransitionTime())
        .as("B-8 the transition time changes only with the status")
        .isEqualTo(clock.wallTime().minusSeconds(30));
  }

  @Test
  @DisplayName("NM-12 a hung check is Unknown, then True after its debounce")
  void hungCheck() {
    Story story = new Story(check("DiskHung", debounce(60))).see("DiskHung", reported(FALSE, ""));
    story
        .pass(10)
        .see("DiskHung", new Evidence.Hanging("did not answer in 10s"))
        .is(UNKNOWN, "IsWell");
    story.pass(59).is(UNKNOWN, "IsWell").pass(1).is(TRUE, "DiskHung");
    assertThat(story.condition().message()).isEqualTo("did not answer in 10s");
  }

  @Test
  @DisplayName("NM-12 a disk that hangs at each run becomes True, and stays True")
  void hangsAgainAndAgain() {
    Story story = new Story(check("DiskHung", debounce(90))).see("DiskHung", reported(FALSE, ""));
    Evidence hanging = new Evidence.Hanging("did not answer in 10s");
    story.see("DiskHung", hanging).pass(60).see("DiskHung", hanging).is(UNKNOWN, "IsWell");
    story.pass(30).is(TRUE, "DiskHung");
    story.pass(30).see("DiskHung", hanging).is(TRUE, "DiskHung");
    story.see("DiskHung", reported(FALSE, "")).pass(30).see("DiskHung", hanging);
    story.pass(80).is(TRUE, "DiskHung");
    story.see("DiskHung", reported(FALSE, "")).pass(90).see("DiskHung", reported(FALSE, ""));
    story.is(FALSE, "IsWell");
  }
}
