package io.probelet.monitor.track;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.ManualClock;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.rule.NamedRule;
import io.probelet.monitor.rule.NamedRule.Kind;
import io.probelet.monitor.track.ConditionTracker.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The state that a tracker adopts from the Node, from its file and from a tracker with other rules.
 */
class TrackedStateTest {
  private static final ConditionSpec SPEC = ConditionSpec.of("Sick", "IsWell", "all is well");
  private static final Evidence WATCHING = new Evidence.Watching();

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T12:00:00Z"));

  private static NamedRule log(String reason, EvidenceThreshold threshold) {
    return TestRules.rule(reason, reason, threshold, Kind.LOG, false);
  }

  private static NamedRule check(String reason, EvidenceThreshold threshold, boolean follow) {
    return TestRules.rule(reason, reason, threshold, Kind.ACTIVE, follow);
  }

  private static EvidenceThreshold debounce(long seconds) {
    return EvidenceThreshold.NONE.withDebounce(Duration.ofSeconds(seconds));
  }

  private static ConditionTracker of(NamedRule... rules) {
    return ConditionTracker.of(SPEC, List.of(rules));
  }

  private ClockReading now() {
    return ClockReading.of(clock);
  }

  private ConditionTracker see(ConditionTracker tracker, String rule, Evidence evidence) {
    return tracker.observe(rule, evidence, now());
  }

  private Condition onNode(ConditionStatus status, String reason) {
    Instant since = clock.wallTime().minusSeconds(60);
    return new Condition("Sick", status, since, since, reason, "it broke", List.of());
  }

  private static ConditionStatus status(ConditionTracker tracker) {
    return tracker.condition().orElseThrow().status();
  }

  @Test
  @DisplayName("B-4 an adopted problem belongs to the rule with its reason, and is no change")
  void adoption() {
    NamedRule two = log("Two", EvidenceThreshold.NONE);
    ConditionTracker tracker =
        of(log("One", EvidenceThreshold.NONE), two).adopt(onNode(TRUE, "Two"), now());
    assertThat(tracker.holding()).containsExactly("Two");
    assertThat(tracker.save(now()).problem()).isTrue();
    tracker = see(see(tracker, "One", WATCHING), "Two", WATCHING);
    assertThat(tracker.save(now()).changes()).isEmpty();
    tracker = see(tracker, "Two", new Evidence.Cleared());
    assertThat(status(tracker)).isEqualTo(FALSE);
    assertThat(tracker.adopt(onNode(TRUE, "Two"), now())).as("known already").isSameAs(tracker);

    ConditionTracker well = of(two).adopt(onNode(FALSE, "Two"), now());
    assertThat(well.holding()).isEmpty();
    assertThat(well.save(now()).problem()).isFalse();
  }

  @Test
  @DisplayName("B-2 the first state is no change, and so no flapping")
  void firstIsNoChange() {
    ConditionTracker tracker =
        see(of(log("Bad", EvidenceThreshold.NONE)), "Bad", new Evidence.Matched("down"));
    assertThat(status(tracker)).isEqualTo(TRUE);
    assertThat(tracker.save(now()).changes()).isEmpty();
    assertThat(see(tracker, "Bad", new Evidence.Cleared()).save(now()).changes()).hasSize(1);
  }

  @Test
  @DisplayName("B-2, B-4 flapping counts continue over a restart")
  void flappingOverRestart() {
    ConditionSpec two =
        new ConditionSpec(
            "Sick", "IsWell", "ok", Duration.ofMinutes(5), 2, Duration.ofMinutes(10), null);
    List<NamedRule> rules = List.of(log("Bad", EvidenceThreshold.NONE));
    ConditionTracker tracker = see(ConditionTracker.of(two, rules), "Bad", WATCHING);
    tracker = see(tracker, "Bad", new Evidence.Matched("down"));
    tracker = ConditionTracker.of(two, rules).restore(tracker.save(now()), now());
    tracker = see(tracker, "Bad", new Evidence.Cleared());
    assertThat(tracker.condition().orElseThrow().reason()).isEqualTo("Flapping");
  }

  /** As the wall clock is after it was set by so much. */
  private ClockReading after(Duration passed, Duration set) {
    return new ClockReading(
        clock.nanoTime() + passed.toNanos(), clock.wallTime().plus(passed).plus(set));
  }

  @ParameterizedTest
  @ValueSource(ints = {-60, 0, 60})
  @DisplayName("B-2, B-4 setting the clock before a restart changes no duration")
  void clockSet(int minutes) {
    Duration set = Duration.ofMinutes(minutes);
    Duration five = Duration.ofMinutes(5);
    NamedRule once =
        log("Once", new EvidenceThreshold(1, Duration.ZERO, Duration.ZERO, Duration.ofMinutes(30)));
    ConditionTracker tracker = see(of(once), "Once", new Evidence.Matched("down"));
    ClockReading later = after(five, set);
    ConditionTracker restarted = of(once).restore(tracker.save(later), later).at(later);
    assertThat(status(restarted)).isEqualTo(TRUE);
    assertThat(status(restarted.at(after(Duration.ofMinutes(29), set)))).isEqualTo(TRUE);
    assertThat(status(restarted.at(after(Duration.ofMinutes(30), set)))).isEqualTo(FALSE);

    EvidenceThreshold two = new EvidenceThreshold(2, Duration.ofMinutes(10), Duration.ZERO, null);
    EventTracker counted = EventTracker.of(two).observe(new Evidence.Matched("x"), now()).after();
    EventTracker counting = EventTracker.of(two).restore(counted.save(later), later);
    assertThat(counting.observe(new Evidence.Matched("y"), later).occurrence()).isPresent();
    ClockReading late = after(Duration.ofMinutes(11), set);
    assertThat(counting.observe(new Evidence.Matched("y"), late).occurrence()).isEmpty();

    ConditionTracker pending = see(of(log("Late", debounce(600))), "Late", WATCHING);
    pending = see(pending, "Late", new Evidence.Matched("down"));
    ConditionTracker waiting =
        of(log("Late", debounce(600))).restore(pending.save(later), later).at(later);
    assertThat(status(waiting)).isEqualTo(FALSE);
    assertThat(status(waiting.at(after(Duration.ofMinutes(10), set)))).isEqualTo(TRUE);
  }

  @Test
  @DisplayName("B-4 only states with content are saved")
  void savesWhatMatters() {
    EvidenceThreshold two = new EvidenceThreshold(2, Duration.ofMinutes(1), Duration.ZERO, null);
    NamedRule[] rules = {
      log("Unheard", EvidenceThreshold.NONE),
      log("Settled", EvidenceThreshold.NONE),
      log("Counted", two),
      log("Pending", debounce(60)),
      check("Plugin", EvidenceThreshold.NONE, false),
      TestRules.rule("Device", "Device", debounce(60), Kind.LOG, false)
    };
    ConditionTracker tracker = see(of(rules), "Settled", WATCHING);
    tracker = see(tracker, "Counted", new Evidence.Matched("once"));
    tracker = see(tracker, "Pending", new Evidence.Matched("down"));
    tracker = see(tracker, "Plugin", new Evidence.Reported(TRUE, "bad"));
    tracker = see(tracker, "Device", new Evidence.Matched("sda", null, "sda"));
    Map<String, SavedCondition.SavedRule> saved = tracker.save(now()).rules();
    assertThat(saved).containsOnlyKeys("Settled", "Counted", "Pending", "Plugin", "Device");
    assertThat(saved.get("Plugin").matches()).as("one is enough: nothing to count").isEmpty();
    assertThat(saved.get("Device").devices()).containsOnlyKeys("sda");

    ConditionTracker later = of(rules).restore(tracker.save(now()), now());
    assertThat(later.save(now())).isEqualTo(tracker.save(now()));
  }

  @Test
  @DisplayName("B-15 a forged file restores at most the device limit")
  void devicesOfFile() {
    SavedCondition.SavedRule one =
        new SavedCondition.SavedRule(
            new SavedCondition.SavedClaim(TRUE, "x", clock.wallTime()), null, List.of(), Map.of());
    Map<String, SavedCondition.SavedRule> devices = new LinkedHashMap<>();
    for (int disk = 0; disk <= DeviceStates.MAX_DEVICES; disk++) {
      devices.put("disk-" + disk, one);
    }
    SavedCondition saved =
        new SavedCondition(
            null,
            false,
            List.of(),
            Map.of("Bad", new SavedCondition.SavedRule(null, null, List.of(), devices)),
            ConditionHistory.NONE);
    ConditionTracker tracker = of(log("Bad", EvidenceThreshold.NONE)).restore(saved, now());
    assertThat(tracker.problems()).hasSize(DeviceStates.MAX_DEVICES);
  }

  @Test
  @DisplayName("B-12 changed rules continue with earlier state")
  void goingOn() {
    ConditionTracker before =
        see(
            of(log("Old", EvidenceThreshold.NONE), log("Bad", EvidenceThreshold.NONE)),
            "Bad",
            WATCHING);
    before = see(before, "Bad", new Evidence.Matched("down"));
    before = see(before, "Old", new Evidence.Matched("old"));
    ConditionTracker after = of(log("Bad", EvidenceThreshold.NONE)).continueFrom(before);
    assertThat(after.holding()).containsExactly("Bad");
    assertThat(after.condition()).isEqualTo(before.condition());
    assertThat(after.spec()).isEqualTo(SPEC);
    assertThat(after.rules()).extracting(NamedRule::id).containsExactly("Bad");
  }

  @Test
  @DisplayName("B-2 the next wake-up is the earliest future one")
  void nextWakeUp() {
    ConditionTracker tracker = of(log("Late", debounce(60)), log("Early", debounce(20)));
    tracker = see(tracker, "Late", new Evidence.Matched("down"));
    tracker = see(tracker, "Early", new Evidence.Matched("down"));
    ClockReading start = now();
    assertThat(tracker.nextWakeUp()).contains(start.plus(Duration.ofSeconds(20)));
    clock.advance(Duration.ofSeconds(20));
    tracker = tracker.at(now());
    assertThat(tracker.nextWakeUp()).contains(start.plus(Duration.ofSeconds(60)));
    clock.advance(Duration.ofSeconds(40));
    tracker = tracker.at(now());
    assertThat(tracker.nextWakeUp()).isEmpty();
    tracker = tracker.observe("Late", new Evidence.Lost("gone"), now());
    clock.advance(SPEC.holdFor());
    assertThat(tracker.nextWakeUp()).as("due, and not considered yet").contains(now());
    assertThat(tracker.at(now()).nextWakeUp()).as("considered").isEmpty();
    assertThat(of(log("Late", debounce(60))).continueFrom(tracker.at(now())).nextWakeUp())
        .as("nothing considered by other terms")
        .contains(now());
  }

  @Test
  @DisplayName("B-2 the earliest wake-up may be that of an earlier rule as well")
  void nextWakeUpOfTheFirst() {
    ConditionTracker tracker = of(log("Early", debounce(20)), log("Late", debounce(60)));
    clock.advance(Duration.ofSeconds(5));
    tracker = see(tracker, "Early", new Evidence.Matched("down"));
    tracker = see(tracker, "Late", new Evidence.Matched("down"));
    assertThat(tracker.nextWakeUp()).contains(now().plus(Duration.ofSeconds(20)));
  }

  @Test
  @DisplayName("NM-12 the first hang message stays, unless the newest is configured")
  void hangingMessage() {
    for (boolean follow : new boolean[] {false, true}) {
      ConditionTracker tracker = of(check("Hung", debounce(90), follow));
      tracker = see(tracker, "Hung", new Evidence.Reported(FALSE, ""));
      tracker = see(tracker, "Hung", new Evidence.Hanging("first"));
      tracker = see(tracker, "Hung", new Evidence.Hanging("second"));
      assertThat(tracker.condition().orElseThrow().message())
          .isEqualTo(follow ? "second" : "first");
    }
  }

  @Test
  @DisplayName("B-2 a plugin that waits for its debounce need not be counted again")
  void countThenDebounce() {
    EvidenceThreshold two =
        new EvidenceThreshold(2, Duration.ofMinutes(1), Duration.ofSeconds(90), null);
    ConditionTracker tracker = of(check("Bad", two, false));
    tracker = see(tracker, "Bad", new Evidence.Reported(FALSE, ""));
    tracker = see(tracker, "Bad", new Evidence.Reported(TRUE, "x"));
    tracker = see(tracker, "Bad", new Evidence.Reported(TRUE, "x"));
    clock.advance(Duration.ofSeconds(90));
    assertThat(status(see(tracker, "Bad", new Evidence.Reported(TRUE, "x")))).isEqualTo(TRUE);
  }

  @Test
  @DisplayName("B-16 a problem is identified by reason and device, not by its text")
  void sameProblem() {
    Problem problem = new Problem("Bad", "sda", "text", clock.wallTime());
    assertThat(problem.isSame(new Problem("Bad", "sda", "other", clock.wallTime()))).isTrue();
    assertThat(problem.isSame(new Problem("Bad", "sdb", "text", clock.wallTime()))).isFalse();
    assertThat(problem.isSame(new Problem("Worse", "sda", "text", clock.wallTime()))).isFalse();
  }

  private static String joined(int first, int second, int others) {
    List<RuleSummary> all = new ArrayList<>();
    all.add(new RuleSummary(TRUE, "R", "x".repeat(first - 3)));
    all.add(new RuleSummary(TRUE, "R", "y".repeat(second - 3)));
    for (int other = 0; other < others; other++) {
      all.add(new RuleSummary(TRUE, "R", other + "z".repeat(100)));
    }
    return RuleSummary.join(all);
  }

  @Test
  @DisplayName("B-3 the message lists the problems that fit and counts the rest")
  void problemText() {
    assertThat(joined(500, 498, 0)).hasSize(1000).doesNotContain("more"); // 1,024 less the rest
    assertThat(joined(500, 499, 0)).hasSize(500 + "; and 1 more".length()).endsWith("; and 1 more");
    assertThat(joined(500, 498, 3)).endsWith("; and 3 more");
    assertThat(joined(1100, 10, 0)).hasSize(Evidence.MAX_CHARS).startsWith("R: x");
  }

  @Test
  @DisplayName("B-10 the path of a cgroup names pod and container")
  void podTrace() {
    String uid = "0123abcd-0123-0123-0123-0123456789ab";
    String container = "ab".repeat(32);
    assertThat(PodCgroup.of("/kubepods/burstable/pod" + uid + "/" + container))
        .contains(new PodCgroup(new PodTrace(uid, container), "/kubepods/burstable/pod" + uid))
        .map(PodCgroup::pod)
        .hasValueSatisfying(
            trace -> assertThat(trace).hasToString("container abababababab of pod " + uid));
    assertThat(PodCgroup.of("/kubepods/pod" + uid))
        .contains(new PodCgroup(new PodTrace(uid, ""), "/kubepods/pod" + uid))
        .map(PodCgroup::pod)
        .hasValueSatisfying(trace -> assertThat(trace).hasToString("pod " + uid));
    assertThat(PodCgroup.of("/system.slice/pod" + uid)).isEmpty();
    assertThat(PodCgroup.of("/kubepods/burstable")).isEmpty();
  }
}
