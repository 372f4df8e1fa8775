package io.probelet.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.benchmarks.Goal.Found;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoalTest {
  @ParameterizedTest
  @CsvSource({
    "RSS 64.0 MiB, 64.0, met",
    "RSS 64.1 MiB, 64.1, missed",
    "nothing of the kind, not measured, unknown"
  })
  @DisplayName("a figure is met, missed, or unknown where it is not there")
  void atMost(String output, String text, String verdict) {
    assertThat(Goal.atMost(64, "resident", "RSS (\\S+) MiB").in(output))
        .isEqualTo(new Found(text, verdict));
  }

  @Test
  @DisplayName("what has to be large is missed when it is small; thousands may be set apart")
  void atLeast() {
    Goal goal = Goal.atLeast(300_000, "lines", "([\\d,]+) lines/s");

    assertThat(goal.in("300,000 lines/s").verdict()).isEqualTo("met");
    assertThat(goal.in("299,999 lines/s").verdict()).isEqualTo("missed");
    assertThat(goal.limitText()).isEqualTo("≥ 300,000");
    assertThat(Goal.atMost(1.15, "", "()").limitText()).isEqualTo("≤ 1.15");
  }

  @Test
  @DisplayName("a ratio that was refused is unknown, with the reason")
  void refused() {
    Goal ratio = SuiteParts.ALL.getFirst().goals().getFirst();

    assertThat(
            ratio.in("probelet   62.1   60.0..64.0  3000  18.6  100.0  100.0  0.98 (0.97..1.01)"))
        .isEqualTo(new Found("0.98 (0.97..1.01)", "met"));
    assertThat(
            ratio.in(
                "probelet   62.1  9.0..64.0  3000  18.6  1.0  1.0  refused: 0.10..1.00 is wide"))
        .isEqualTo(new Found("refused: 0.10..1.00 is wide", "unknown"));
  }
}
