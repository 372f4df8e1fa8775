package io.probelet.nodehealth.policy;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A schedule of five fields, in the format of cron and Kubernetes' CronJobs: minute, hour, day of
 * the month, month, day of the week. If both day fields are restricted, one match is enough. A
 * start in a skipped hour happens at the clock change; one in a repeated hour happens only the
 * first time (ACT-74).
 *
 * @param minutes the minutes, as bits
 * @param hours the hours, as bits
 * @param daysOfMonth the days, as bits from 1
 * @param months the months, as bits from 1
 * @param daysOfWeek the days, as bits from 0, which is Sunday
 * @param eitherDay whether one matching day field is enough
 */
public record CronSchedule(
    long minutes, long hours, long daysOfMonth, long months, long daysOfWeek, boolean eitherDay) {
  /** The longest gap is 40 years: February 29 on a given weekday, across 2100. */
  private static final int MAX_DAYS_AHEAD = 14_609;

  private static final int MINUTES_PER_HOUR = 60;
  private static final int MINUTES_PER_DAY = 24 * MINUTES_PER_HOUR;

  /**
   * Parses a schedule.
   *
   * @param text five fields
   * @throws IllegalArgumentException with the error
   */
  public static CronSchedule parse(String text) {
    return CronParser.parse(text);
  }

  /**
   * Finds the last start.
   *
   * @param now the latest possible time
   * @param after the start must be later than this
   * @return the start; empty if there is none
   */
  Optional<Instant> lastAt(Instant now, Instant after, ZoneId zone) {
    LocalDate earliest = LocalDate.ofInstant(after, zone).minusDays(1);
    LocalDate date = LocalDate.ofInstant(now, zone).plusDays(1); // clocks may go back over midnight
    for (; !date.isBefore(earliest); date = date.minusDays(1)) {
      if (!isOn(date) || LocalMoments.first(date.atStartOfDay(), zone).isAfter(now)) {
        continue;
      }
      Optional<Instant> start =
          starts(date, zone, CronSchedule::fromTheEnd)
              .filter(moment -> !moment.isAfter(now))
              .findFirst();
      if (start.isPresent()) {
        return start.filter(moment -> moment.isAfter(after));
      }
    }
    return Optional.empty();
  }

  /**
   * Finds the next start.
   *
   * @param now the start must be later than this
   * @return the start; empty if there is none within years
   */
  Optional<Instant> nextAfter(Instant now, ZoneId zone) {
    LocalDate today = LocalDate.ofInstant(now, zone);
    for (int ahead = 0; ahead <= MAX_DAYS_AHEAD; ahead++) {
      LocalDate date = today.plusDays(ahead);
      if (isOn(date)) {
        Optional<Instant> start =
            starts(date, zone, IntUnaryOperator.identity())
                .filter(moment -> moment.isAfter(now))
                .findFirst();
        if (start.isPresent()) {
          return start;
        }
      }
    }
    return Optional.empty();
  }

  /** The starts of a day, ordered by minute. */
  private Stream<Instant> starts(LocalDate date, ZoneId zone, IntUnaryOperator order) {
    return IntStream.range(0, MINUTES_PER_DAY)
        .map(order)
        .filter(minute -> has(hours, minute / MINUTES_PER_HOUR))
        .filter(minute -> has(minutes, minute % MINUTES_PER_HOUR))
        .mapToObj(minute -> LocalMoments.first(date.atStartOfDay().plusMinutes(minute), zone));
  }

  private static int fromTheEnd(int minute) {
    return MINUTES_PER_DAY - 1 - minute;
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
