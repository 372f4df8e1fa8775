package io.probelet.monitor.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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
  @DisplayName("A-1 a Go time layout; without a year, the most recent such day")
  void layouts(String layout, String written, String expected) {
    assertThat(TimeLayout.parse(layout).read(written, ZoneOffset.UTC, NOW))
        .contains(Instant.parse(expected));
  }

  /** The values are those that Go 1.26 gives, the machine's zone being Europe/Berlin. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "2006-01-02 15:04:05 | 2026-01-02 09:30:00 | 2026-01-02T08:30:00Z",
        "2006-01-02 15:04:05 | 2026-01-02 09:30:00.25 | 2026-01-02T08:30:00.25Z",
        "2006-01-02 15:04:05 | 2026-01-02 09:30:00,25 | 2026-01-02T08:30:00.25Z",
        "2006-01-02 15:04:05,000 | 2026-01-02 09:30:00,123 | 2026-01-02T08:30:00.123Z",
        "2006-01-02 15:04:05,000 | 2026-01-02 09:30:00.123 | 2026-01-02T08:30:00.123Z",
        "2006-01-02 15:04:05.000 | 2026-01-02 09:30:00,123 | 2026-01-02T08:30:00.123Z",
        "2006-01-02 15:04:05.000 | 2026-01-02 09:30:00.12 | -",
        "2006-01-02 15:04:05.999 | 2026-01-02 09:30:00.123456789012 | 2026-01-02T08:30:00.123456789Z",
        "2006-01-02 15:04:05,999 | 2026-01-02 09:30:00 | 2026-01-02T08:30:00Z",
        "2006-01-02 15:04:05.000000 | 2026-01-02 09:30:00.123456 | 2026-01-02T08:30:00.123456Z",
        "2006-01-02T15:04:05Z07:00 | 2026-01-02T09:30:00Z | 2026-01-02T09:30:00Z",
        "2006-01-02T15:04:05Z07:00 | 2026-01-02T09:30:00+05:30 | 2026-01-02T04:00:00Z",
        "2006-01-02T15:04:05.999999999Z07:00 | 2026-01-02T09:30:00.5-08:00 | 2026-01-02T17:30:00.5Z",
        "2006-01-02T15:04:05Z0700 | 2026-01-02T09:30:00+0530 | 2026-01-02T04:00:00Z",
        "2006-01-02T15:04:05Z07 | 2026-01-02T09:30:00+05 | 2026-01-02T04:30:00Z",
        "2006-01-02T15:04:05Z070000 | 2026-01-02T09:30:00+053015 | 2026-01-02T03:59:45Z",
        "2006-01-02T15:04:05Z07:00:00 | 2026-01-02T09:30:00+05:30:15 | 2026-01-02T03:59:45Z",
        "2006-01-02 15:04:05 -0700 | 2026-01-02 09:30:00 -0330 | 2026-01-02T13:00:00Z",
        "2006-01-02 15:04:05 -07:00 | 2026-01-02 09:30:00 +24:00 | 2026-01-01T09:30:00Z",
        "2006-01-02 15:04:05 -07 | 2026-01-02 09:30:00 +01 | 2026-01-02T08:30:00Z",
        "2006-01-02 15:04:05 -07:00:00 | 2026-01-02 09:30:00 +01:00:30 | 2026-01-02T08:29:30Z",
        "2006-01-02 15:04:05 -0700 | 2026-01-02 09:30:00 Z | -",
        "02/Jan/2006:15:04:05 -0700 | 02/Jan/2026:10:30:00 +0100 | 2026-01-02T09:30:00Z",
        "2006-01-02 15:04:05 MST | 2026-01-02 09:30:00 CET | 2026-01-02T08:30:00Z",
        "2006-01-02 15:04:05 MST | 2026-07-02 09:30:00 CEST | 2026-07-02T07:30:00Z",
        "2006-01-02 15:04:05 MST | 2026-01-02 09:30:00 UTC | 2026-01-02T09:30:00Z",
        "2006-01-02 15:04:05 MST | 2026-01-02 09:30:00 PST | 2026-01-02T09:30:00Z",
        "2006-01-02 15:04:05 MST | 2026-01-02 09:30:00 somewhere | -",
        "Mon Jan _2 15:04:05 2006 | Fri Jan  2 09:30:00 2026 | 2026-01-02T08:30:00Z",
        "Mon Jan _2 15:04:05 MST 2006 | Fri Jan  2 09:30:00 CET 2026 | 2026-01-02T08:30:00Z",
        "Mon Jan 02 15:04:05 -0700 2006 | Fri Jan 02 09:30:00 +0100 2026 | 2026-01-02T08:30:00Z",
        "Monday, 02-Jan-06 15:04:05 MST | Friday, 02-Jan-26 09:30:00 UTC | 2026-01-02T09:30:00Z",
        "Mon, 02 Jan 2006 15:04:05 MST | fri, 02 JAN 2026 09:30:00 UTC | 2026-01-02T09:30:00Z",
        "Mon, 2 Jan 2006 15:04:05 -0700 | Fri, 12 Jan 2026 09:30:00 +0000 | 2026-01-12T09:30:00Z",
        "January 2, 2006 3:04:05 PM | February 2, 2026 9:30:00 PM | 2026-02-02T20:30:00Z",
        "January 2, 2006 3:04:05 pm | February 2, 2026 12:30:00 am | 2026-02-01T23:30:00Z",
        "January 2, 2006 3:04:05 pm | February 2, 2026 9:30:00 PM | -",
        "2006/01/02 03:04:05PM | 2026/01/02 12:30:00PM | 2026-01-02T11:30:00Z",
        "2006/01/02 03:04:05 | 2026/01/02 09:30:00 | 2026-01-02T08:30:00Z",
        "06-1-2 15:4:5 | 26-1-2 9:3:7 | 2026-01-02T08:03:07Z",
        "06-01-02 15:04 | 69-01-02 09:30 | 1969-01-02T08:30:00Z",
        "2006-002 15:04:05 | 2026-060 09:30:00 | 2026-03-01T08:30:00Z",
        "2006 __2 15:04:05 | 2026   2 09:30:00 | 2026-01-02T08:30:00Z",
        "2006-01-02 (002) 15:04 | 2026-03-01 (061) 09:30 | -",
        "2006-01-02 | 2026-01-02 | 2026-01-01T23:00:00Z",
        "20060102150405 | 20260102093000 | 2026-01-02T08:30:00Z",
        "2006-01-02 15:04:05 | 2026-02-29 09:30:00 | -",
        "2006-01-02 15:04:05 | 2026-01-02 24:00:00 | -",
        "2006-01-02   15:04:05 | 2026-01-02 09:30:00 | 2026-01-02T08:30:00Z",
        "2006-01-02 15:04:05 | 2026-03-29 02:30:00 | 2026-03-29T01:30:00Z",
        "2006-01-02 15:04:05 | 2026-10-25 02:30:00 | 2026-10-25T01:30:00Z",
        "Month _2006 at 15.04 | Month _2026 at 09.30 | 2026-01-01T08:30:00Z",
      })
  @DisplayName("A-1 a layout reads what Go reads by it, and nothing else")
  void asGoReads(String layout, String written, @Nullable Instant expected) {
    assertThat(TimeLayout.parse(layout).read(written, ZoneId.of("Europe/Berlin"), NOW))
        .isEqualTo(Optional.ofNullable(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "15:04:05 MST | 09:30:00 GMT+3 | 2026-01-02T06:30:00Z",
        "15:04:05 MST | 09:30:00 -03 | 2026-01-02T12:30:00Z",
        "__2 15:04 | 366 09:30 | 2024-12-31T09:30:00Z",
        "Jan _2 15:04 | Feb 29 09:30 | 2024-02-29T09:30:00Z",
      })
  @DisplayName("A-1 a numeric zone is an offset in hours; a day without a year exists")
  void betterThanGo(String layout, String written, Instant expected) {
    assertThat(TimeLayout.parse(layout).read(written, ZoneOffset.UTC, NOW)).contains(expected);
  }

  @Test
  @DisplayName("A-1 layouts with equal text are equal")
  void equality() {
    assertThat(TimeLayout.parse("15:04"))
        .isEqualTo(TimeLayout.parse("15:04"))
        .hasSameHashCodeAs(TimeLayout.parse("15:04"))
        .isNotEqualTo(TimeLayout.parse("15:05"));
  }

  @Test
  @DisplayName("A-1 text in another format has no time")
  void otherwise() {
    TimeLayout layout = TimeLayout.parse("Jan _2 15:04:05");
    assertThat(layout.read("2026-01-02 09:30", ZoneOffset.UTC, NOW)).isEmpty();
    assertThat(layout.read("Feb 30 09:30:00", ZoneOffset.UTC, NOW)).isEmpty();
    assertThatThrownBy(() -> TimeLayout.parse("yyyy-MM-dd"))
        .hasMessageContaining("a Go time layout");
  }
}
