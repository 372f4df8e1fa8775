package io.probelet.nodehealth.monitor.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeLayoutTest {
  private static final Instant NOW = Instant.parse("2026-01-02T10:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Jan _2 15:04:05 | Jan  2 09:30:00 | 2026-01-02T09:30:00Z",
        "Jan _2 15:04:05 | Dec 31 23:59:59 | 2025-12-31T23:59:59Z",
        "2006-01-02T15:04:05Z07:00 | 2026-01-02T11:30:00+02:00 | 2026-01-02T09:30:00Z",
        "2006-01-02T15:04:05.000000Z07:00 | 2026-01-02T09:30:00.123456Z | 2026-01-02T09:30:00.123456Z",
        "2006/01/02 15:04:05 | 2026/01/02 09:30:00.5 | 2026-01-02T09:30:00.500Z",
        "Mon Jan _2 15:04:05 2006 | Fri Jan  2 09:30:00 2026 | 2026-01-02T09:30:00Z",
        "02/Jan/2006:15:04:05 -0700 | 02/Jan/2026:10:30:00 +0100 | 2026-01-02T09:30:00Z",
        "3:04PM | 9:30AM | 2026-01-02T09:30:00Z",
      })
  @DisplayName("A-1 Go's time layouts; without a year, the last such day there was")
  void layouts(String layout, String written, String expected) {
    assertThat(TimeLayout.parse(layout).read(written, ZoneOffset.UTC, NOW))
        .contains(Instant.parse(expected));
  }

  @Test
  @DisplayName("A-1 what is written otherwise has no time")
  void otherwise() {
    TimeLayout layout = TimeLayout.parse("Jan _2 15:04:05");
    assertThat(layout.read("2026-01-02 09:30", ZoneOffset.UTC, NOW)).isEmpty();
    assertThat(layout.read("Feb 30 09:30:00", ZoneOffset.UTC, NOW)).isEmpty();
    assertThatThrownBy(() -> TimeLayout.parse("yyyy-MM-dd"))
        .hasMessageContaining("Go's time layouts");
  }
}
