package io.probelet.monitor.node;

import static io.probelet.monitor.MonitorFiles.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ConditionStatus;
import io.probelet.monitor.check.NodeCheckResult;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.Monitor.CheckRule;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a check may run, and when it runs again before its interval is over. */
class CheckProgressTest {
  private static CheckRule rule(String check, String debounce) {
    String text =
        "{'plugin':'check','rules':[{'check':'%s','debounce':'%s'}]}".formatted(check, debounce);
    return ((Monitor.Checks) read(text)).rules().getFirst();
  }

  @ParameterizedTest
  @CsvSource({
    // debounce, said before, found, after how long
    "45s, , FALSE, 45500",
    "45s, , TRUE, 45500",
    "45s, FALSE, TRUE, 45500",
    "45s, UNKNOWN, TRUE, 45500",
    "45s, TRUE, TRUE,",
    "45s, FALSE, UNKNOWN,",
    "0s, FALSE, TRUE,",
  })
  @DisplayName("B-2 only a new status runs again once its debounce is over")
  void afterDebounce(
      String debounce, ConditionStatus said, ConditionStatus found, Long milliseconds) {
    CheckProgress progress = new CheckProgress(3, true, false, said);
    CheckRule rule = rule("container-runtime", debounce);
    assertThat(progress.runsAgain(found, rule).map(Duration::toMillis).orElse(null))
        .isEqualTo(milliseconds);
    assertThat(progress.ended(found)).isEqualTo(new CheckProgress(3, false, false, found));
  }

  @ParameterizedTest
  @CsvSource({"disk-io, TRUE, 0", "zombies, FALSE, "})
  @DisplayName(
      "NM-12 a hung check runs again immediately if hanging is a problem; this is no " + "change")
  void hung(String check, ConditionStatus said, Long milliseconds) {
    CheckRule rule = rule(check, "45s");
    CheckProgress late = new CheckProgress(2, true, false, ConditionStatus.FALSE).late(rule);
    assertThat(late).isEqualTo(new CheckProgress(2, true, true, said));
    assertThat(late.runsAgain(ConditionStatus.UNKNOWN, rule).map(Duration::toMillis).orElse(null))
        .isEqualTo(milliseconds);
    assertThat(late.ended(ConditionStatus.UNKNOWN))
        .isEqualTo(new CheckProgress(2, false, false, said));
  }

  @Test
  @DisplayName("NM-12 one run at a time, and only that one can be late")
  void oneAtATime() {
    CheckProgress first = CheckProgress.NONE.begun();
    assertThat(first).isEqualTo(new CheckProgress(1, true, false, null));
    assertThat(first.isLate(1)).isTrue();
    assertThat(first.isLate(2)).isFalse();
    assertThat(first.ended(ConditionStatus.FALSE).isLate(1)).isFalse();
    CheckProgress second = first.notBegun().begun();
    assertThat(second).isEqualTo(new CheckProgress(2, true, false, null));
    assertThat(second.isLate(1)).isFalse();
  }

  @Test
  @DisplayName("B-5, B-15 the status of a result: devices are healthy unless one has a problem")
  void results() {
    assertThat(
            Stream.of(
                    NodeCheckResult.OK,
                    new NodeCheckResult.Problem("down"),
                    new NodeCheckResult.Devices(Set.of("sda"), ""),
                    new NodeCheckResult.Devices(Set.of("sda"), "sdb is down"),
                    new NodeCheckResult.Unknown("no permission"))
                .map(CheckProgress::status))
        .containsExactly(
            ConditionStatus.FALSE,
            ConditionStatus.TRUE,
            ConditionStatus.FALSE,
            ConditionStatus.TRUE,
            ConditionStatus.UNKNOWN);
  }
}
