package io.probelet.monitor.rule;

import static io.probelet.monitor.rule.TimeText.NONE;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The elements read so far of one time. */
final class TimeReading {
  private static final List<String> MONTHS =
      List.of(
          "January",
          "February",
          "March",
          "April",
          "May",
          "June",
          "July",
          "August",
          "September",
          "October",
          "November",
          "December");
  private static final List<String> DAYS =
      List.of("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday");
  private static final int ABBREVIATED = 3;

  /** Two-digit years from here on belong to the last century. */
  private static final int FIRST_YEAR = 69;

  /** Two leap years are at most eight years apart. */
  private static final int MAX_YEARS_BACK = 8;

  private final TimeText text;
  private int year = NONE;
  private int month = NONE;
  private int day = NONE;
  private int yearDay = NONE;
  private int hour;
  private int minute;
  private int second;
  private int nanos;
  private boolean morning;
  private boolean afternoon;
  private boolean utc;
  private @Nullable Duration offset;
  private String zoneName = "";

  TimeReading(TimeText text) {
    this.text = text;
  }

  /**
   * Reads a field.
   *
   * @param fractionIsShown whether the next field of the layout is a fraction
   * @return whether it is present and in range
   */
  boolean field(TimeField field, boolean fractionIsShown) {
    return switch (field) {
      case LONG_YEAR -> {
        year = text.number(4, true);
        yield year >= 0;
      }
      case YEAR -> shortYear();
      case LONG_MONTH -> month(text.word(MONTHS) + 1);
      case MONTH_NAME -> month(text.word(abbreviated(MONTHS)) + 1);
      case TWO_DIGIT_MONTH, MONTH -> month(text.number(2, field == TimeField.TWO_DIGIT_MONTH));
      case LONG_WEEKDAY -> text.word(DAYS) >= 0; // the date determines it
      case WEEKDAY -> text.word(abbreviated(DAYS)) >= 0;
      case PADDED_DAY, TWO_DIGIT_DAY, DAY -> {
        var _ = field == TimeField.PADDED_DAY && text.take(' ');
        day = text.number(2, field == TimeField.TWO_DIGIT_DAY);
        yield day >= 0;
      }
      case PADDED_YEAR_DAY, THREE_DIGIT_YEAR_DAY -> {
        var _ = field == TimeField.PADDED_YEAR_DAY && text.take(' ') && text.take(' ');
        yearDay = text.number(3, field == TimeField.THREE_DIGIT_YEAR_DAY);
        yield yearDay >= 0;
      }
      case HOUR -> hour(text.number(2, false), 23);
      case TWO_DIGIT_HOUR12, HOUR12 ->
          hour(text.number(2, field == TimeField.TWO_DIGIT_HOUR12), 12);
      case TWO_DIGIT_MINUTE, MINUTE -> {
        minute = text.number(2, field == TimeField.TWO_DIGIT_MINUTE);
        yield isWithin(minute, 59);
      }
      case TWO_DIGIT_SECOND, SECOND -> {
        second = text.number(2, field == TimeField.TWO_DIGIT_SECOND);
        yield isWithin(second, 59) && (fractionIsShown || fraction(0));
      }
      case UPPER_HALF -> half("AM", "PM");
      case LOWER_HALF -> half("am", "pm");
      case ZONE_NAME -> zoneName();
      case OFFSET_OR_Z, OFFSET -> offset(field, 2, false);
      case SHORT_OFFSET_OR_Z, SHORT_OFFSET -> offset(field, 1, false);
      case COLON_OFFSET_OR_Z, COLON_OFFSET -> offset(field, 2, true);
      case SECONDS_OFFSET_OR_Z, SECONDS_OFFSET -> offset(field, 3, false);
      case COLON_SECONDS_OFFSET_OR_Z, COLON_SECONDS_OFFSET -> offset(field, 3, true);
    };
  }

  private boolean month(int number) {
    month = number;
    return number >= 1 && number <= MONTHS.size();
  }

  private boolean hour(int number, int most) {
    hour = number;
    return isWithin(number, most);
  }

  /** Reads a fraction of a second; a fraction of any length may be absent. */
  boolean fraction(int digits) {
    if (digits == 0 && !text.isFraction()) {
      return true;
    }
    nanos = text.fraction(digits);
    return nanos >= 0;
  }

  private static boolean isWithin(int number, int most) {
    return number >= 0 && number <= most;
  }

  private static List<String> abbreviated(List<String> names) {
    return names.stream().map(name -> name.substring(0, ABBREVIATED)).toList();
  }

  private boolean shortYear() {
    int two = text.number(2, true);
    year = two < 0 ? NONE : two + (two >= FIRST_YEAR ? 1900 : 2000);
    return two >= 0;
  }

  private boolean half(String first, String second) {
    morning = text.take(first);
    afternoon = !morning && text.take(second);
    return morning || afternoon;
  }

  private boolean zoneName() {
    if (text.take("UTC")) {
      utc = true;
      return true;
    }
    zoneName = text.zoneName();
    return !zoneName.isEmpty();
  }

  private boolean offset(TimeField field, int numbers, boolean colons) {
    if (field.word().startsWith("Z") && text.take('Z')) {
      utc = true;
      return true;
    }
    int sign = text.take('+') ? 1 : text.take('-') ? -1 : 0;
    int seconds = 0;
    for (int i = 0; i < 3; i++) {
      boolean shown = i < numbers;
      if (shown && colons && i > 0 && !text.take(':')) {
        return false;
      }
      int number = shown ? text.number(2, true) : 0;
      if (!isWithin(number, i == 0 ? 24 : 60)) { // some offsets have 24 hours or 60 minutes
        return false;
      }
      seconds = seconds * 60 + number;
    }
    offset = Duration.ofSeconds((long) sign * seconds);
    return sign != 0;
  }

  /**
   * {@return the instant; empty if there is no such day}
   *
   * @param zone the zone of times without a zone
   * @param now the wall time; a date without a year is the most recent such date, give or take a
   *     day, and a time without a date is today's
   */
  Optional<Instant> instant(ZoneId zone, Instant now) {
    int ofDay = afternoon && hour < 12 ? hour + 12 : morning && hour == 12 ? 0 : hour;
    LocalTime time = LocalTime.of(ofDay, minute, second, nanos);
    return date(ZonedDateTime.ofInstant(now, zone).toLocalDate())
        .map(date -> instant(date.atTime(time), zone));
  }

  private Instant instant(LocalDateTime written, ZoneId zone) {
    if (utc) {
      return written.toInstant(ZoneOffset.UTC);
    }
    if (offset != null) {
      return written.toInstant(ZoneOffset.UTC).minus(offset);
    }
    return zoneName.isEmpty() ? ofZone(written, zone) : ZoneNames.instant(written, zoneName, zone);
  }

  /** An hour skipped or repeated by a clock change is resolved as in Go. */
  private static Instant ofZone(LocalDateTime written, ZoneId zone) {
    ZoneOffset first = zone.getRules().getOffset(written.toInstant(ZoneOffset.UTC));
    return written.toInstant(zone.getRules().getOffset(written.toInstant(first)));
  }

  private Optional<LocalDate> date(LocalDate today) {
    if (year > 0) { // as in Go, year 0 means no year
      return date(year);
    }
    if (month == NONE && day == NONE && yearDay == NONE) {
      return Optional.of(today);
    }
    for (int back = 0; back <= MAX_YEARS_BACK; back++) {
      Optional<LocalDate> date = date(today.getYear() - back);
      // A line of December read in January is old, not in the future.
      if (date.isPresent() && !date.get().isAfter(today.plusDays(1))) {
        return date;
      }
    }
    return Optional.empty();
  }

  private Optional<LocalDate> date(int ofYear) {
    try {
      if (yearDay == NONE) {
        return Optional.of(LocalDate.of(ofYear, month == NONE ? 1 : month, day == NONE ? 1 : day));
      }
      LocalDate date = LocalDate.ofYearDay(ofYear, yearDay);
      boolean agrees =
          (month == NONE || month == date.getMonthValue())
              && (day == NONE || day == date.getDayOfMonth());
      return agrees ? Optional.of(date) : Optional.empty();
    } catch (DateTimeException noSuchDay) {
      return Optional.empty();
    }
  }
}
