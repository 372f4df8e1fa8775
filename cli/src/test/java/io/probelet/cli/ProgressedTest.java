package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProgressedTest {
  @Test
  @DisplayName("shows progress in days, or in hours for a tape of less than two days")
  void record() {
    assertThat(RecordCommand.progressed(Duration.ofHours(100), Duration.ofDays(30)))
        .isEqualTo("probelet record: 4 of 30 days");
    assertThat(RecordCommand.progressed(Duration.ofMinutes(100), Duration.ofHours(47)))
        .isEqualTo("probelet record: 1 of 47 hours");
  }
}
