package io.probelet.nodehealth.policy;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A schedule of five fields, as cron and Kubernetes' CronJobs have it: minute, hour, day of the
 * month, month, day of the week. If both days are restricted, either will do. A start that clocks
 * skip comes when they skip it; one that they show twice comes the first time only (ACT-74).
 *
 * @param minutes the minutes, as bits
 * @param hours the hours, as bits
 * @param daysOfMonth the days, as bits from 1
 * @param months the months, as bits from 1
 * @param daysOfWeek the days, as bits from 0, which is Sunday
 * @param eitherDay whether it is enough that one of both kinds of days matches
 */
public record CronSchedule(
    long minutes, long hours, long daysOfMonth, long months, long daysOfWeek, boolean eitherDay) {
  /** A 29th of February on one given weekday comes within so many days, but for 2100. */
  private static final int MAX_DAYS_AHEAD = 15_000;

  private static final int MINUTES_PER_HOUR = 60;
  private static final int HOURS_PER_DAY = 24;

  /**
   * Reads a schedule.
   *
   * @param text five fields
   * @return the schedule
   * @throws IllegalArgumentException says what is wrong with it
   */
  public static CronSchedule parse(String text) {
    return CronParser.parse(text);
  }

  /**
   * Finds the last start.
   *
   * @param now not after this
   * @param after but after this
   * @param zone whose clocks are meant
   * @return the start; empty if there is none
   */
  Optional<Instant> lastAt(Instant now, Instant after, ZoneId zone) {
    LocalDate earliest = LocalDate.ofInstant(after, zone).minusDays(1);
    LocalDate date = LocalDate.ofInstant(now, zone).plusDays(1); // clocks may go back over midnight
    for (; !date.isBefore(earliest); date = date.minusDays(1)) {
      if (!isOn(date) || LocalMoments.first(date.atStartOfDay(), zone).isAfter(now)) {
        continue;
      }
      for (int hour = HOURS_PER_DAY - 1; hour >= 0; hour--) {
        for (int minute = MINUTES_PER_HOUR - 1; minute >= 0; minute--) {
          if (isAt(hour, minute)) {
            Instant start = LocalMoments.first(date.atTime(LocalTime.of(hour, minute)), zone);
            if (!start.isAfter(now)) {
              return start.isAfter(after) ? Optional.of(start) : Optional.empty();
            }
          }
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Finds the next start.
   *
   * @param now after this
   * @param zone whose clocks are meant
   * @return the start; empty if there is none within years
   */
  Optional<Instant> nextAfter(Instant now, ZoneId zone) {
    LocalDate today = LocalDate.ofInstant(now, zone);
    for (int ahead = 0; ahead <= MAX_DAYS_AHEAD; ahead++) {
      LocalDate date = today.plusDays(ahead);
      if (isOn(date)) {
        Optional<Instant> start = firstAfter(now, date, zone);
        if (start.isPresent()) {
          return start;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Instant> firstAfter(Instant now, LocalDate date, ZoneId zone) {
    for (int hour = 0; hour < HOURS_PER_DAY; hour++) {
      for (int minute = 0; minute < MINUTES_PER_HOUR; minute++) {
        if (isAt(hour, minute)) {
          Instant start = LocalMoments.first(date.atTime(LocalTime.of(hour, minute)), zone);
          if (start.isAfter(now)) {
            return Optional.of(start);
          }
        }
      }
    }
    return Optional.empty();
  }

  private boolean isAt(int hour, int minute) {
    return has(hours, hour) && has(minutes, minute);
  }

  private boolean isOn(LocalDate date) {
    if (!has(months, date.getMonthValue())) {
      return false;
    }
    boolean ofMonth = has(daysOfMonth, date.getDayOfMonth());
    boolean ofWeek = has(daysOfWeek, date.getDayOfWeek().getValue() % 7);
    return eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek;
  }

  private static boolean has(long bits, int bit) {
    return (bits >> bit & 1) != 0;
  }
}
