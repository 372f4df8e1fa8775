package io.probelet.nodehealth.monitor.rule;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How times are written in a log, given as Go does it: by showing how 2 January 2006, 15:04:05,
 * would be written.
 */
public final class TimeLayout {
  /**
   * Go's words and the pattern letters that mean the same; longer words before their beginnings.
   */
  private static final List<Word> WORDS =
      List.of(
          new Word("2006", "uuuu"),
          new Word("January", "MMMM"),
          new Word("Jan", "MMM"),
          new Word("Monday", "EEEE"),
          new Word("Mon", "EEE"),
          new Word("MST", "zzz"),
          new Word("Z07:00", "XXX"),
          new Word("-07:00", "xxx"),
          new Word("Z0700", "XX"),
          new Word("-0700", "xx"),
          new Word("-07", "x"),
          new Word("01", "MM"),
          new Word("02", "dd"),
          new Word("03", "hh"),
          new Word("04", "mm"),
          new Word("05", "ss"),
          new Word("06", "uu"),
          new Word("15", "HH"),
          new Word("_2", "ppd"),
          new Word("PM", "a"),
          new Word("1", "M"),
          new Word("2", "d"),
          new Word("3", "h"),
          new Word("4", "m"),
          new Word("5", "s"));

  private final String text;
  private final DateTimeFormatter formatter;

  private record Word(String go, String letters) {}

  private TimeLayout(String text, DateTimeFormatter formatter) {
    this.text = text;
    this.formatter = formatter;
  }

  /**
   * Reads a layout.
   *
   * @param text for example {@code Jan _2 15:04:05}
   * @return the layout
   * @throws IllegalArgumentException if it shows no time of day; the message is for the user
   */
  public static TimeLayout parse(String text) {
    if (!text.contains("15") && !text.contains("3")) {
      throw new IllegalArgumentException(
          "must show how 2006-01-02 15:04:05 would be written, as Go's time layouts do");
    }
    DateTimeFormatterBuilder builder = new DateTimeFormatterBuilder().parseCaseInsensitive();
    int at = 0;
    while (at < text.length()) {
      at = append(builder, text, at);
    }
    return new TimeLayout(text, builder.toFormatter(Locale.ENGLISH));
  }

  private static int append(DateTimeFormatterBuilder builder, String text, int at) {
    int fraction = fraction(text, at);
    if (fraction > 0) {
      return at + fraction;
    }
    for (Word word : WORDS) {
      if (text.startsWith(word.go(), at)) {
        builder.appendPattern(word.letters());
        if (word.go().equals("05") || word.go().equals("5")) {
          // As in Go, a fraction may follow the seconds whether or not the layout shows one.
          builder
              .optionalStart()
              .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
              .optionalEnd();
        }
        return at + word.go().length();
      }
    }
    builder.appendLiteral(text.charAt(at));
    return at + 1;
  }

  /** Length of {@code .000} or {@code .999}, which the seconds have taken care of. */
  private static int fraction(String text, int at) {
    int end = at + 1;
    while (end < text.length()
        && (text.charAt(end) == '0' || text.charAt(end) == '9')
        && text.charAt(end) == text.charAt(at + 1)) {
      end++;
    }
    boolean shown = (text.charAt(at) == '.' || text.charAt(at) == ',') && end > at + 1;
    boolean ends = end == text.length() || !Character.isDigit(text.charAt(end));
    return shown && ends ? end - at : 0;
  }

  /**
   * Reads a time.
   *
   * @param written what the log says
   * @param zone the zone of times that say none
   * @param now the wall time; a time without a year is the last such before it, give or take a day
   * @return the time; empty if it is not written as the layout says
   */
  public Optional<Instant> read(String written, ZoneId zone, Instant now) {
    try {
      TemporalAccessor parts = formatter.parse(written);
      LocalTime time = parts.query(TemporalQueries.localTime());
      ZoneOffset offset = parts.query(TemporalQueries.offset());
      ZoneId at = offset == null ? zone : offset;
      return time == null
          ? Optional.empty()
          : Optional.of(date(parts, at, now).atTime(time).atZone(at).toInstant());
    } catch (DateTimeException otherwise) {
      return Optional.empty();
    }
  }

  private static LocalDate date(TemporalAccessor parts, ZoneId zone, Instant now) {
    LocalDate date = parts.query(TemporalQueries.localDate());
    if (date != null) {
      return date;
    }
    LocalDate today = ZonedDateTime.ofInstant(now, zone).toLocalDate();
    if (!parts.isSupported(ChronoField.MONTH_OF_YEAR)) {
      return today;
    }
    int month = parts.get(ChronoField.MONTH_OF_YEAR);
    int day = parts.get(ChronoField.DAY_OF_MONTH);
    LocalDate thisYear = LocalDate.of(today.getYear(), month, Math.min(day, 28));
    // A line of December that is read in January is old, not of the future.
    int year = thisYear.isAfter(today.plusDays(1)) ? today.getYear() - 1 : today.getYear();
    return LocalDate.of(year, month, day);
  }

  /** {@return the layout as it was given} */
  @Override
  public String toString() {
    return text;
  }
}
