package io.probelet.monitor.node;

import static io.probelet.monitor.MonitorFiles.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.ManualClock;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.track.ClockReading;
import io.probelet.monitor.track.Evidence;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionExpressionsTest {
  private static final Monitor CHECKS =
      read(
          """
          {'plugin': 'check', 'source': 'checks', 'rules': [
            {'check': 'kubelet', 'debounce': '0s'}, {'check': 'disk-io', 'debounce': '0s'},
            {'check': 'pids', 'debounce': '0s'}, {'check': 'conntrack', 'debounce': '0s'}]}\
          """);
  private static final String KUBELET = "checks/KubeletUnhealthy/KubeletUnhealthy";
  private static final String DISK = "checks/DiskUnresponsive/DiskIOFailed";
  private static final String PIDS = "checks/KernelLimitNear/PIDsExhausted";
  private static final String CONNTRACK = "checks/KernelLimitNear/ConntrackFull";

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-27T12:00:00Z"));
  private NodeConditions conditions = NodeConditions.NONE;

  private void watch(String when) {
    conditions = of(when).continueFrom(conditions);
    pass(Duration.ZERO);
  }

  private static NodeConditions of(String when) {
    Map<String, Monitor> monitors = new LinkedHashMap<>();
    monitors.put("own", read(file(when)));
    monitors.put("checks", CHECKS);
    return NodeConditions.of(monitors);
  }

  private static String file(String when) {
    return """
    {'plugin': 'expression', 'conditions': [
       {'type': 'Unusable', 'reason': 'Usable', 'message': 'works'}],
     'rules': [{'condition': 'Unusable', 'reason': 'Fails', 'message': 'fails', 'when': '%s'}]}\
    """
        .formatted(when.replace("'", "\\\""));
  }

  private ClockReading now() {
    return ClockReading.of(clock);
  }

  private void see(String rule, ConditionStatus status) {
    conditions = conditions.observe(rule, new Evidence.Reported(status, "found"), now()).after();
  }

  private void seeAll(ConditionStatus status) {
    see(KUBELET, status);
    see(DISK, status);
    see(PIDS, status);
    see(CONNTRACK, status);
  }

  /** Lets time pass as the monitor's loop does: it wakes up only when it is asked to. */
  private void pass(Duration time) {
    ClockReading end = now().plus(time);
    while (true) {
      conditions = conditions.at(now()).after();
      Optional<ClockReading> wakeUp = conditions.nextWakeUp().filter(end::reached);
      if (wakeUp.isEmpty() || now().reached(wakeUp.get())) {
        break;
      }
      clock.advance(Duration.ofNanos(wakeUp.get().nanos() - clock.nanoTime()));
    }
    clock.advance(Duration.ofNanos(end.nanos() - clock.nanoTime()));
  }

  private Optional<Condition> unusable() {
    return conditions.conditions().stream()
        .filter(condition -> condition.type().equals("Unusable"))
        .findFirst();
  }

  private String shown() {
    return unusable()
        .map(
            condition -> condition.status() + " " + condition.reason() + ": " + condition.message())
        .orElse("absent");
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("B-25 an expression over conditions sets and clears a condition")
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '"',
      value = {
        "conditions.KubeletUnhealthy.status == 'True' && conditions['DiskUnresponsive'].status == 'True' ~ True",
        "conditions.KubeletUnhealthy.status == 'True' && conditions.KernelLimitNear.status == 'True' ~ False",
        "conditions.KubeletUnhealthy.status == 'False' || conditions.DiskUnresponsive.reason == 'DiskIOFailed' ~ True",
        "!(conditions.KernelLimitNear.status == 'False') ~ False",
        "conditions.filter(type, conditions[type].status == 'True').size() >= 2 ~ True",
        "conditions.filter(type, conditions[type].status == 'True').size() >= 3 ~ False",
        "conditions.Missing.status == 'True' ~ Unknown",
        "conditions.Missing.status == 'True' || conditions.KubeletUnhealthy.status == 'True' ~ True",
        "'Missing' in conditions && conditions.Missing.status == 'True' ~ False",
        "conditions.exists(type, type == 'Unus' + 'able') ~ False",
      })
  void decides(String when, String status) {
    watch(when);
    seeAll(ConditionStatus.FALSE);
    see(KUBELET, ConditionStatus.TRUE);
    see(DISK, ConditionStatus.TRUE);
    pass(Duration.ofSeconds(2));
    assertThat(shown()).startsWith(status);
  }

  @Test
  @DisplayName("B-25 without a value the condition is Unknown and says why")
  void undecided() {
    watch("conditions.Missing.status == 'True'");
    seeAll(ConditionStatus.FALSE);
    pass(Duration.ofSeconds(2));
    assertThat(shown())
        .startsWith("Unknown Usable: the expression has no value: a field or key is missing: ")
        .contains("Missing");
  }

  @Test
  @DisplayName("B-25, B-5 before all conditions are observed nothing is decided")
  void incomplete() {
    watch("conditions.exists(type, conditions[type].status == 'True')");
    see(KUBELET, ConditionStatus.FALSE);
    see(DISK, ConditionStatus.FALSE);
    see(PIDS, ConditionStatus.FALSE);
    pass(Duration.ofSeconds(2));
    assertThat(shown()).isEqualTo("absent");
    pass(Duration.ofMinutes(5));
    assertThat(shown()).isEqualTo("Unknown NotObserved: not all conditions have been observed yet");
    see(CONNTRACK, ConditionStatus.FALSE);
    pass(Duration.ofSeconds(2));
    assertThat(shown()).isEqualTo("False Usable: works");
  }

  @Test
  @DisplayName("B-25, B-17 a condition that cannot be checked here is absent")
  void unavailable() {
    watch("'KubeletUnhealthy' in conditions");
    seeAll(ConditionStatus.FALSE);
    conditions = of("'KubeletUnhealthy' in conditions");
    conditions = conditions.observe(KUBELET, new Evidence.Unavailable("none"), now()).after();
    see(DISK, ConditionStatus.FALSE);
    see(PIDS, ConditionStatus.FALSE);
    see(CONNTRACK, ConditionStatus.FALSE);
    pass(Duration.ofSeconds(2));
    assertThat(shown()).isEqualTo("False Usable: works");
  }

  @Test
  @DisplayName("B-25 an age is exceeded without any further evidence")
  void age() {
    watch(
        "conditions.KubeletUnhealthy.status == 'True' && conditions.KubeletUnhealthy.age > duration('5m')");
    seeAll(ConditionStatus.FALSE);
    pass(Duration.ofMinutes(10));
    see(KUBELET, ConditionStatus.TRUE);
    pass(Duration.ofMinutes(5));
    assertThat(shown()).isEqualTo("False Usable: works");
    pass(Duration.ofSeconds(1));
    assertThat(shown()).isEqualTo("True Fails: fails");
    see(KUBELET, ConditionStatus.FALSE);
    pass(Duration.ofSeconds(1));
    assertThat(shown()).isEqualTo("False Usable: works");
  }

  @Test
  @DisplayName("B-25 an age does not jump when the wall clock is set")
  void clockIsSet() {
    watch("conditions.KubeletUnhealthy.age > duration('5m')");
    seeAll(ConditionStatus.FALSE);
    pass(Duration.ofMinutes(4));
    clock.stepWallClock(Duration.ofDays(1));
    see(DISK, ConditionStatus.TRUE);
    pass(Duration.ofSeconds(2));
    assertThat(shown()).isEqualTo("False Usable: works");
    pass(Duration.ofMinutes(1));
    assertThat(shown()).isEqualTo("True Fails: fails");
  }

  @Test
  @DisplayName("B-25, B-2 it counts how often a condition became True, also while it is flapping")
  void counts() {
    watch("conditions.KubeletUnhealthy.began.filter(age, age < duration('1h')).size() >= 5");
    seeAll(ConditionStatus.FALSE);
    for (int i = 1; i <= 5; i++) {
      assertThat(shown()).as("after %d", i - 1).doesNotStartWith("True");
      see(KUBELET, ConditionStatus.TRUE);
      pass(Duration.ofSeconds(30));
      see(KUBELET, ConditionStatus.FALSE);
      pass(Duration.ofSeconds(30));
    }
    assertThat(shown()).isEqualTo("True Fails: fails");
    pass(Duration.ofMinutes(54));
    assertThat(shown()).isEqualTo("True Fails: fails");
    pass(Duration.ofMinutes(2));
    assertThat(shown()).isEqualTo("False Usable: works");
  }

  @Test
  @DisplayName("B-25, B-4 a restart keeps counts and ages")
  void restart() {
    String when =
        "conditions.KubeletUnhealthy.began.size() == 2 && conditions.KubeletUnhealthy.age > duration('5m')";
    watch(when);
    seeAll(ConditionStatus.FALSE);
    for (int i = 0; i < 2; i++) {
      see(KUBELET, ConditionStatus.TRUE);
      pass(Duration.ofMinutes(1));
      see(KUBELET, ConditionStatus.FALSE);
      pass(Duration.ofMinutes(1));
    }
    pass(Duration.ofMinutes(3));
    conditions = of(when).restore(conditions.save(now()), Map.of(), now());
    pass(Duration.ZERO);
    assertThat(shown()).isEqualTo("False Usable: works");
    pass(Duration.ofMinutes(2));
    assertThat(shown()).isEqualTo("True Fails: fails");
  }

  @Test
  @DisplayName("B-25, B-3 it sees the reasons of all problems of a condition")
  void problems() {
    watch("conditions.KernelLimitNear.problems == ['PIDsExhausted', 'ConntrackFull']");
    seeAll(ConditionStatus.FALSE);
    see(CONNTRACK, ConditionStatus.TRUE);
    pass(Duration.ofSeconds(2));
    assertThat(shown()).isEqualTo("False Usable: works");
    see(PIDS, ConditionStatus.TRUE);
    pass(Duration.ofSeconds(2));
    assertThat(shown()).isEqualTo("True Fails: fails");
  }

  @Test
  @DisplayName("B-25 a flood of changes is evaluated once a second")
  void flood() {
    watch("conditions.KubeletUnhealthy.status == 'True'");
    seeAll(ConditionStatus.FALSE);
    pass(Duration.ofSeconds(2));
    see(KUBELET, ConditionStatus.TRUE);
    pass(Duration.ZERO);
    assertThat(shown()).as("a first change counts at once").isEqualTo("True Fails: fails");
    see(KUBELET, ConditionStatus.FALSE);
    pass(Duration.ofMillis(900));
    assertThat(shown()).isEqualTo("True Fails: fails");
    assertThat(conditions.nextWakeUp()).contains(now().plus(Duration.ofMillis(100)));
    pass(Duration.ofMillis(100));
    assertThat(shown()).isEqualTo("False Usable: works");
  }

  @Test
  @DisplayName("B-25 an expression that costs too much leaves its condition Unknown")
  void cost() {
    String loop = "conditions.all(a, %s)";
    String when = "true";
    for (int i = 0; i < 12; i++) {
      when = loop.replace("a,", "a" + i + ",").formatted(when);
    }
    watch(when + " || conditions.Missing.status == 'True'");
    seeAll(ConditionStatus.FALSE);
    pass(Duration.ofSeconds(2));
    assertThat(shown()).startsWith("Unknown Usable: the expression has no value: exceeds");
  }

  @Test
  @DisplayName(
      "B-12 a removed expression clears what it reported, and counts go on in a changed one")
  void reload() {
    watch("conditions.KubeletUnhealthy.status == 'True'");
    seeAll(ConditionStatus.FALSE);
    see(KUBELET, ConditionStatus.TRUE);
    pass(Duration.ofSeconds(2));
    assertThat(shown()).isEqualTo("True Fails: fails");
    watch("conditions.KubeletUnhealthy.began.size() == 2");
    assertThat(shown()).isEqualTo("False Usable: works");
  }

  @Test
  @DisplayName("B-12, B-25 ages are right when expressions are removed and come back")
  void comesBack() {
    watch("conditions.KubeletUnhealthy.age > duration('5m')");
    seeAll(ConditionStatus.FALSE);
    pass(Duration.ofMinutes(1));
    conditions = NodeConditions.of(Map.of("checks", CHECKS)).continueFrom(conditions);
    pass(Duration.ofMinutes(10));
    see(KUBELET, ConditionStatus.TRUE);
    pass(Duration.ofMinutes(1));
    watch("conditions.KubeletUnhealthy.age > duration('5m')");
    assertThat(shown()).isEqualTo("False Usable: works");
  }
}
