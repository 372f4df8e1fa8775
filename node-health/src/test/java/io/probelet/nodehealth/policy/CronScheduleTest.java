package io.probelet.nodehealth.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronScheduleTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "* * * * *          | 2026-01-01T00:00:30Z | 2026-01-01T00:01:00Z",
        "0 22 * * *         | 2026-01-01T00:00:00Z | 2026-01-01T22:00:00Z",
        "0 22 * * *         | 2026-01-01T22:00:00Z | 2026-01-02T22:00:00Z",
        "*/20 8-10 * * *    | 2026-01-01T08:41:00Z | 2026-01-01T09:00:00Z",
        "5/20 * * * *       | 2026-01-01T08:26:00Z | 2026-01-01T08:45:00Z",
        "0 0 * * SAT        | 2026-01-01T00:00:00Z | 2026-01-03T00:00:00Z",
        "0 0 * * 0          | 2026-01-01T00:00:00Z | 2026-01-04T00:00:00Z",
        "0 0 * * 7          | 2026-01-01T00:00:00Z | 2026-01-04T00:00:00Z",
        "0 0 * * fri-7      | 2026-01-03T00:00:00Z | 2026-01-04T00:00:00Z",
        "0 0 1,15 * *       | 2026-01-02T00:00:00Z | 2026-01-15T00:00:00Z",
        "0 0 13 * FRI       | 2026-01-03T00:00:00Z | 2026-01-09T00:00:00Z",
        "0 0 13 * FRI       | 2026-01-10T00:00:00Z | 2026-01-13T00:00:00Z",
        "0 0 */2 * MON      | 2026-01-06T00:00:00Z | 2026-01-19T00:00:00Z",
        "0 3 1 JAN,jul *    | 2026-01-02T00:00:00Z | 2026-07-01T03:00:00Z",
        "0 0 29 2 *         | 2026-01-01T00:00:00Z | 2028-02-29T00:00:00Z",
        "0 0 29 2 */7       | 2088-02-29T00:00:00Z | 2128-02-29T00:00:00Z",
      })
  @DisplayName("ACT-74 five fields say when, as those of a CronJob do")
  void next(String schedule, Instant after, Instant next) {
    CronSchedule read = CronSchedule.parse(schedule);
    assertThat(read.nextAfter(after, ZoneId.of("UTC"))).contains(next);
    assertThat(read.lastAt(next, after, ZoneId.of("UTC"))).contains(next);
    assertThat(read.lastAt(next.minusSeconds(1), after, ZoneId.of("UTC"))).isEmpty();
  }

  /**
   * Clocks of Berlin: on March 29 02:00 is 03:00 (01:00Z), on October 25 03:00 is 02:00 (01:00Z).
   * Those of St. John's went back over midnight: on November 7 00:01 was 23:01 (02:31Z).
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "skipped    | 30 2 * * * | 1h | Europe/Berlin    | 2026-03-29T00:59:59Z | false | 2026-03-29T01:00:00Z",
        "skipped    | 30 2 * * * | 1h | Europe/Berlin    | 2026-03-29T01:00:00Z | true  | 2026-03-30T00:30:00Z",
        "skipped    | 30 2 * * * | 1h | Europe/Berlin    | 2026-03-29T01:59:59Z | true  | 2026-03-30T00:30:00Z",
        "skipped    | 30 2 * * * | 1h | Europe/Berlin    | 2026-03-29T02:00:00Z | false | 2026-03-30T00:30:00Z",
        "across     | 0 1 * * *  | 4h | Europe/Berlin    | 2026-03-29T00:00:00Z | true  | 2026-03-29T23:00:00Z",
        "across     | 0 1 * * *  | 4h | Europe/Berlin    | 2026-03-29T03:59:59Z | true  | 2026-03-29T23:00:00Z",
        "across     | 0 1 * * *  | 4h | Europe/Berlin    | 2026-03-29T04:00:00Z | false | 2026-03-29T23:00:00Z",
        "twice      | 30 2 * * * | 1h | Europe/Berlin    | 2026-10-25T00:29:59Z | false | 2026-10-25T00:30:00Z",
        "twice      | 30 2 * * * | 1h | Europe/Berlin    | 2026-10-25T00:30:00Z | true  | 2026-10-26T01:30:00Z",
        "twice      | 30 2 * * * | 1h | Europe/Berlin    | 2026-10-25T01:29:59Z | true  | 2026-10-26T01:30:00Z",
        "twice      | 30 2 * * * | 1h | Europe/Berlin    | 2026-10-25T01:30:00Z | false | 2026-10-26T01:30:00Z",
        "twice      | 30 2 * * * | 1h | Europe/Berlin    | 2026-10-25T01:59:59Z | false | 2026-10-26T01:30:00Z",
        "across     | 0 1 * * *  | 4h | Europe/Berlin    | 2026-10-25T02:59:59Z | true  | 2026-10-26T00:00:00Z",
        "across     | 0 1 * * *  | 4h | Europe/Berlin    | 2026-10-25T03:00:00Z | false | 2026-10-26T00:00:00Z",
        "midnight   | 15 0 * * * | 1h | Africa/Cairo     | 2026-04-23T21:59:59Z | false | 2026-04-23T22:00:00Z",
        "midnight   | 15 0 * * * | 1h | Africa/Cairo     | 2026-04-23T22:00:00Z | true  | 2026-04-24T21:15:00Z",
        "over 0:00  | 0 0 * * *  | 1h | America/St_Johns | 2010-11-07T02:29:59Z | false | 2010-11-07T02:30:00Z",
        "over 0:00  | 0 0 * * *  | 1h | America/St_Johns | 2010-11-07T03:29:59Z | true  | 2010-11-08T03:30:00Z",
        "over 0:00  | 0 0 * * *  | 1h | America/St_Johns | 2010-11-07T03:30:00Z | false | 2010-11-08T03:30:00Z",
        "skipped    | 30 2 * * * | 1h | America/New_York | 2026-03-08T07:00:00Z | true  | 2026-03-09T06:30:00Z",
        "twice      | 30 1 * * * | 1h | America/New_York | 2026-11-01T06:29:59Z | true  | 2026-11-02T06:30:00Z",
        "twice      | 30 1 * * * | 1h | America/New_York | 2026-11-01T06:30:00Z | false | 2026-11-02T06:30:00Z",
        "every hour | 30 * * * * | 1m | Europe/Berlin    | 2026-10-25T01:30:00Z | false | 2026-10-25T02:30:00Z",
      })
  @DisplayName("ACT-74 a window opens once a day also when clocks are put forward or back")
  void daylightSaving(
      String what,
      String schedule,
      String duration,
      String zone,
      Instant now,
      boolean open,
      Instant next) {
    Window window =
        new Window(
            CronSchedule.parse(schedule),
            Duration.parse("PT" + duration.toUpperCase(java.util.Locale.ROOT)),
            ZoneId.of(zone));
    assertThat(window.isOpenAt(now)).as(what).isEqualTo(open);
    assertThat(window.nextAfter(now)).as(what).contains(next);
  }

  @Test
  @DisplayName("ACT-74 what is open for longer than a day is open on the day after")
  void longWindow() {
    Window weekend =
        new Window(CronSchedule.parse("0 18 * * FRI"), Duration.ofHours(60), ZoneId.of("UTC"));
    assertThat(weekend.isOpenAt(Instant.parse("2026-01-02T17:59:59Z"))).isFalse();
    assertThat(weekend.isOpenAt(Instant.parse("2026-01-02T18:00:00Z"))).isTrue();
    assertThat(weekend.isOpenAt(Instant.parse("2026-01-05T05:59:59Z"))).isTrue();
    assertThat(weekend.isOpenAt(Instant.parse("2026-01-05T06:00:00Z"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "@daily",
        "* * * *",
        "* * * * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * 32 * *",
        "* * * 13 *",
        "* * * * 8",
        "* * * FOO *",
        "5-3 * * * *",
        "*/0 * * * *",
        "1,,2 * * * *",
        "-1 * * * *",
        "1- * * * *",
        "*/ * * * *",
        "1/2/3 * * * *",
        "0 0 31 2,4 *",
        "0 0 30 FEB *",
        "0 0 ? * *",
        "0 0 L * *",
        "１ * * * *"
      })
  @DisplayName("ACT-71 what is no schedule, or never comes, is refused")
  void refused(String schedule) {
    assertThatIllegalArgumentException().isThrownBy(() -> CronSchedule.parse(schedule));
  }

  @Test
  @DisplayName("what is wrong is said with what would be right")
  void messages() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CronSchedule.parse("0 25 * * *"))
        .withMessageContaining(
            "its hour \"25\" must be *, numbers from 0 to 23, ranges such as 0-2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CronSchedule.parse("* ".repeat(500)))
        .withMessageContaining("five fields");
    assertThatNoException().isThrownBy(() -> CronSchedule.parse(" 0\t0  31 2 MON "));
  }

  @Test
  @DisplayName("ACT-71 a schedule has 200 characters at most")
  void length() {
    String longest = " ".repeat(191) + "* * * * *";
    assertThat(CronSchedule.parse(longest)).isEqualTo(CronSchedule.parse("* * * * *"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CronSchedule.parse(" " + longest))
        .withMessageContaining("five fields");
  }
}
