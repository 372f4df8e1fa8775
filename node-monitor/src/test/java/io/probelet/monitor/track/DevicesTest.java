package io.probelet.monitor.track;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.Condition;
import io.probelet.health.ManualClock;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.rule.NamedRule;
import io.probelet.monitor.rule.NamedRule.Kind;
import io.probelet.monitor.track.Evidence.Cleared;
import io.probelet.monitor.track.Evidence.Coverage;
import io.probelet.monitor.track.Evidence.Matched;
import io.probelet.monitor.track.Evidence.Reported;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One condition, several devices: never a false all-clear (B-15). */
class DevicesTest {
  private static final ConditionSpec SPEC = ConditionSpec.of("ReadOnly", "Writable", "all is well");

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T12:00:00Z"));
  private final NamedRule line =
      TestRules.rule("line", "Logged", EvidenceThreshold.NONE, Kind.LOG, false);
  private final NamedRule check =
      TestRules.rule("check", "Checked", EvidenceThreshold.NONE, Kind.ACTIVE, false);
  private ConditionTracker tracker =
      ConditionTracker.of(SPEC, List.of(line, check)).at(ClockReading.of(clock));

  private void see(String rule, Evidence evidence) {
    tracker = tracker.observe(rule, evidence, ClockReading.of(clock));
  }

  private void bad(String device) {
    see("line", new Matched("(" + device + ") read-only", null, device));
  }

  private void seen(String... well) {
    see("check", new Reported(FALSE, "", Coverage.of(Set.of(well))));
  }

  private Condition condition() {
    return tracker.condition().orElseThrow();
  }

  private void begin() {
    see("line", new Evidence.Watching());
    seen();
    assertThat(condition().status()).isEqualTo(FALSE);
  }

  @Test
  @DisplayName("B-15 a line clears the device it names, and no other")
  void clearsItsOwn() {
    begin();
    bad("sda1");
    see("line", new Cleared("sdb1"));
    assertThat(condition().status()).isEqualTo(TRUE);
    see("line", new Cleared("sda1"));
    assertThat(condition().status()).isEqualTo(FALSE);
  }

  @Test
  @DisplayName(
      "B-15 several devices: True until the last is healthy, and the message names the " + "others")
  void untilTheLast() {
    begin();
    bad("sda1");
    bad("sdb1");
    assertThat(condition().message())
        .isEqualTo("Logged: (sda1) read-only; Logged: (sdb1) read-only");
    see("line", new Cleared("sda1"));
    assertThat(condition().status()).isEqualTo(TRUE);
    assertThat(condition().message()).isEqualTo("(sdb1) read-only");
    see("line", new Cleared("sdb1"));
    assertThat(condition().status()).isEqualTo(FALSE);
  }

  @Test
  @DisplayName("B-15 a check clears the devices it sees; unseen devices keep the log's state")
  void checkSeesSome() {
    begin();
    bad("sda1");
    bad("dm-0");
    seen("sda1", "sdc");
    assertThat(condition().message()).isEqualTo("(dm-0) read-only");
    see("check", new Reported(TRUE, "read-only: /x", Coverage.of(Set.of("dm-0"))));
    assertThat(condition().reason()).as("of the check alone").isEqualTo("Checked");
    assertThat(condition().message()).isEqualTo("read-only: /x");
    seen();
    assertThat(condition().status()).isEqualTo(FALSE);
  }

  @Test
  @DisplayName("B-15 a line without a device is not cleared by checks of single devices")
  void nameless() {
    begin();
    see("line", new Matched("something is read-only"));
    see("line", new Cleared("sda1"));
    seen("sda1");
    assertThat(condition().status()).isEqualTo(TRUE);
    see("check", new Reported(FALSE, ""));
    assertThat(condition().status()).as("by one who sees the whole").isEqualTo(FALSE);
    see("line", new Matched("something is read-only"));
    see("line", new Cleared());
    assertThat(condition().status()).as("by a line that means all").isEqualTo(FALSE);
  }

  @Test
  @DisplayName("B-15 a check of the whole, and a clear line without a device, clear every device")
  void clearsAll() {
    begin();
    bad("sda1");
    bad("sdb1");
    see("check", new Reported(FALSE, ""));
    assertThat(condition().status()).isEqualTo(FALSE);
    bad("sda1");
    bad("sdb1");
    see("line", new Cleared());
    assertThat(condition().status()).isEqualTo(FALSE);
  }

  @Test
  @DisplayName("B-15 a restart keeps each device, from its file")
  void restart() {
    begin();
    bad("sda1");
    bad("sdb1");
    Condition before = condition();
    SavedCondition saved = tracker.save(ClockReading.of(clock));
    tracker =
        ConditionTracker.of(SPEC, List.of(line, check)).restore(saved, ClockReading.of(clock));
    see("line", new Evidence.Watching());
    assertThat(condition()).isEqualTo(before);
    see("line", new Cleared("sda1"));
    assertThat(condition().message()).isEqualTo("(sdb1) read-only");
  }

  @Test
  @DisplayName("B-4, B-15 an adopted message is a text: it names no device, whatever it reads")
  void adoptedMessage() {
    begin();
    bad("sda1");
    bad("sdb1");
    Condition before = condition();
    tracker = ConditionTracker.of(SPEC, List.of(line, check)).adopt(before, ClockReading.of(clock));
    assertThat(tracker.problems())
        .singleElement()
        .satisfies(problem -> {
          assertThat(problem.device()).isEmpty();
          assertThat(problem.text()).isEqualTo(before.message());
        });
    begin2();
    assertThat(condition()).isEqualTo(before);
    see("line", new Cleared("sda1"));
    see("line", new Cleared("sdb1"));
    assertThat(condition().status()).isEqualTo(TRUE);
    see("check", new Reported(FALSE, ""));
    assertThat(condition().status()).isEqualTo(FALSE);
  }

  private void begin2() {
    see("line", new Evidence.Watching());
    seen();
    assertThat(condition().status()).isEqualTo(TRUE);
  }

  @Test
  @DisplayName("B-15 an adopted problem without a device waits for a clear of all devices")
  void adoptedWithoutName() {
    Condition onNode =
        new Condition(
            "ReadOnly", TRUE, clock.wallTime(), clock.wallTime(), "Logged", "odd", List.of());
    tracker = ConditionTracker.of(SPEC, List.of(line, check)).adopt(onNode, ClockReading.of(clock));
    begin2();
    see("line", new Cleared("sda1"));
    assertThat(condition().status()).isEqualTo(TRUE);
    see("line", new Cleared());
    assertThat(condition().status()).isEqualTo(FALSE);
  }

  @Test
  @DisplayName("B-15 devices beyond the limit are not dropped; the message is bounded")
  void tooMany() {
    begin();
    for (int disk = 0; disk <= DeviceStates.MAX_DEVICES; disk++) {
      bad("disk-" + disk);
    }
    assertThat(tracker.problems()).hasSize(DeviceStates.MAX_DEVICES + 1);
    assertThat(condition().message().length()).isLessThanOrEqualTo(Evidence.MAX_CHARS);
    assertThat(condition().message()).matches(".*; and \\d+ more");
    for (int disk = 0; disk <= DeviceStates.MAX_DEVICES; disk++) {
      see("line", new Cleared("disk-" + disk));
    }
    assertThat(condition().status()).as("one had no place of its own").isEqualTo(TRUE);
    bad("disk-0");
    see("line", new Cleared("disk-0"));
    see("line", new Cleared());
    assertThat(condition().status()).isEqualTo(FALSE);
  }

  @Test
  @DisplayName("B-2, B-15 matches are counted per device, and expire")
  void countedApart() {
    EvidenceThreshold three = new EvidenceThreshold(3, Duration.ofMinutes(1), Duration.ZERO, null);
    NamedRule counting = TestRules.rule("line", "Logged", three, Kind.LOG, false);
    tracker = ConditionTracker.of(SPEC, List.of(counting));
    see("line", new Evidence.Watching());
    bad("sda1");
    bad("sdb1");
    bad("sda1");
    bad("sdb1");
    assertThat(condition().status()).isEqualTo(FALSE);
    bad("sda1");
    assertThat(condition().message()).isEqualTo("(sda1) read-only");
    clock.advance(Duration.ofSeconds(61));
    tracker = tracker.at(ClockReading.of(clock));
    assertThat(tracker.save(ClockReading.of(clock)).rules().get("line").devices())
        .containsOnlyKeys("sda1");
  }
}
