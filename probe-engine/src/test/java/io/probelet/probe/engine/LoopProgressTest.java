package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A3: probing that makes no progress although the loop answers. */
class LoopProgressTest {

  @ParameterizedTest
  @CsvSource({
    // workers, overdue s, since progress s, well
    "0, 0, 9999, true",
    "5, 0, 9999, true",
    "5, -3600, 9999, true",
    "5, 9999, 0, true",
    "5, 9999, 30, true",
    "5, 30, 9999, true",
    "5, 31, 31, false",
    "1, 3600, 3600, false",
  })
  @DisplayName("W-14 overdue workers are a problem only without progress; idle is healthy")
  void table(int workers, int overdue, int since, boolean well) {
    LoopProgress progress =
        new LoopProgress(workers, Duration.ofSeconds(overdue), Duration.ofSeconds(since));
    assertThat(progress.problem().isEmpty()).isEqualTo(well);
  }
}
