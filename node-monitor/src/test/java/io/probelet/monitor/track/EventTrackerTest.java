package io.probelet.monitor.track;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ConditionStatus;
import io.probelet.health.ManualClock;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.track.EventTracker.Occurrence;
import io.probelet.monitor.track.SavedCondition.SavedRule;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class EventTrackerTest {
  private static final EvidenceThreshold TWO_IN_A_MINUTE =
      new EvidenceThreshold(2, Duration.ofMinutes(1), Duration.ZERO, null);

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T12:00:00Z"));
  private EventTracker tracker = EventTracker.of(TWO_IN_A_MINUTE);

  private Optional<Occurrence> see(Evidence evidence) {
    EventTracker.Counted step = tracker.observe(evidence, ClockReading.of(clock));
    tracker = step.after();
    return step.occurrence();
  }

  private Optional<Occurrence> line(String device) {
    return see(new Evidence.Matched("oops", null, device));
  }

  private static Stream<Arguments> evidence() {
    PodTrace pod = new PodTrace("uid", "");
    return Stream.of(
        Arguments.of(new Evidence.Matched("oops", pod, ""), new Occurrence("oops", pod)),
        Arguments.of(
            new Evidence.Reported(ConditionStatus.TRUE, "bad"), new Occurrence("bad", null)),
        Arguments.of(
            new Evidence.Reported(ConditionStatus.UNKNOWN, "?"), new Occurrence("?", null)),
        Arguments.of(new Evidence.Hanging("hangs"), new Occurrence("hangs", null)),
        Arguments.of(new Evidence.Reported(ConditionStatus.FALSE, "fine"), null),
        Arguments.of(new Evidence.Cleared(), null),
        Arguments.of(new Evidence.Watching(), null),
        Arguments.of(new Evidence.Lost("gone"), null));
  }

  @ParameterizedTest
  @MethodSource("evidence")
  @DisplayName("A-7 a match, and a run that is not OK, is an event; nothing else is")
  void whatIsAnEvent(Evidence evidence, Occurrence expected) {
    tracker = EventTracker.of(EvidenceThreshold.NONE);
    assertThat(see(evidence)).isEqualTo(Optional.ofNullable(expected));
    assertThat(tracker.matches()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "0, false",
    "0 60, true",
    "0 61, false",
    "0 61 120, true",
    "0 10 20, false",
    "0 10 20 30, true"
  })
  @DisplayName("B-2 minCount within window creates an event, then the count starts again")
  void countInWindow(String seconds, boolean last) {
    boolean happened = false;
    Instant start = clock.wallTime();
    for (String second : seconds.split(" ", -1)) {
      clock.advance(Duration.between(clock.wallTime(), start.plusSeconds(Long.parseLong(second))));
      happened = line("").isPresent();
    }
    assertThat(happened).isEqualTo(last);
  }

  @Test
  @DisplayName("B-15 matches are counted per device, and expire")
  void devices() {
    assertThat(line("sda")).isEmpty();
    assertThat(line("sdb")).isEmpty();
    assertThat(line("")).isEmpty();
    assertThat(line("sdb")).isPresent();
    assertThat(tracker.matches()).containsOnlyKeys("sda", "");
    clock.advance(Duration.ofSeconds(61));
    line("sdc");
    assertThat(tracker.matches()).containsOnlyKeys("sdc");
  }

  @Test
  @DisplayName("B-15 devices beyond the limit are counted together")
  void tooManyDevices() {
    for (int disk = 0; disk < DeviceStates.MAX_DEVICES; disk++) {
      assertThat(line("disk-" + disk)).isEmpty();
    }
    assertThat(line("disk-x")).isEmpty();
    assertThat(tracker.matches()).hasSize(DeviceStates.MAX_DEVICES + 1).containsKey("");
    assertThat(line("disk-0")).as("has a place of its own").isPresent();
    assertThat(line("disk-y")).as("has that place now").isEmpty();
    assertThat(line("disk-z")).as("counts with disk-x").isPresent();
  }

  @Test
  @DisplayName("B-4 a restart loses no match, and restores at most the device limit")
  void restart() {
    line("sda");
    clock.advance(Duration.ofSeconds(30));
    SavedRule saved = tracker.save(ClockReading.of(clock));
    tracker = EventTracker.of(TWO_IN_A_MINUTE).restore(saved, ClockReading.of(clock));
    clock.advance(Duration.ofSeconds(30));
    assertThat(line("sda")).isPresent();

    Map<String, SavedRule> forged = new LinkedHashMap<>();
    for (int disk = 0; disk < 1000; disk++) {
      forged.put("disk-" + disk, new SavedRule(null, null, List.of(clock.wallTime()), Map.of()));
    }
    tracker = tracker.restore(new SavedRule(null, null, List.of(), forged), ClockReading.of(clock));
    assertThat(tracker.matches()).hasSize(DeviceStates.MAX_DEVICES + 1);
  }

  @Test
  @DisplayName("B-12 a changed rule keeps its counted matches")
  void goesOn() {
    line("");
    line("sda");
    EvidenceThreshold three = new EvidenceThreshold(3, Duration.ofMinutes(1), Duration.ZERO, null);
    tracker = EventTracker.of(three).continueFrom(tracker);
    assertThat(line("")).isEmpty();
    assertThat(line("")).isPresent();
  }
}
