package io.probelet.web.part;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.kube.election.ElectionTiming;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControllerContextTest {
  @ParameterizedTest
  @CsvSource({"15, 10, 5", "120, 90, 10", "60, 50, 10", "16, 15, 1"})
  @DisplayName("N-1 what a leader began before its deadline ends before another may lead")
  void requests(int lease, int deadline, int longest) {
    ElectionTiming timing =
        new ElectionTiming(
            Duration.ofSeconds(lease), Duration.ofSeconds(deadline), Duration.ofSeconds(2));
    assertThat(ControllerContext.longestRequest(timing)).hasSeconds(longest);
  }
}
