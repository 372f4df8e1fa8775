package io.probelet.web.api;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Times in UTC to the millisecond, {@code 2026-11-21T12:00:03.123Z}, by hand: a page has tens of
 * thousands of them, and the JDK's formatter and parser take most of the time it takes to make one.
 */
public final class Rfc3339 {
  private static final int LENGTH = "uuuu-MM-ddTHH:mm:ss.SSSZ".length();
  private static final int MILLIS_PER_DAY = 24 * 60 * 60 * 1000;

  /** Where years begin to have five digits, in seconds since 1970. */
  private static final long YEAR_10000 = 253_402_300_800L;

  /** The day of the last time that was written; any other one may replace it. */
  private static volatile Day last = Day.of(0);

  /**
   * A day and its text.
   *
   * @param number days since 1970
   * @param text {@code uuuu-MM-dd}
   */
  private record Day(long number, String text) {
    static Day of(long number) {
      return new Day(number, LocalDate.ofEpochDay(number).toString());
    }
  }

  private Rfc3339() {}

  /**
   * {@return a time as text}
   *
   * @param time cut to the millisecond
   */
  public static String text(Instant time) {
    if (time.getEpochSecond() < 0 || time.getEpochSecond() >= YEAR_10000) {
      return time.truncatedTo(ChronoUnit.MILLIS).toString();
    }
    long millis = time.toEpochMilli();
    long number = Math.floorDiv(millis, (long) MILLIS_PER_DAY);
    int rest = Math.floorMod(millis, MILLIS_PER_DAY);
    Day day = last;
    if (day.number() != number) {
      day = Day.of(number);
      last = day;
    }
    char[] text = new char[LENGTH];
    day.text().getChars(0, 10, text, 0);
    text[10] = 'T';
    digits(text, 11, 2, rest / 3_600_000);
    text[13] = ':';
    digits(text, 14, 2, rest / 60_000 % 60);
    text[16] = ':';
    digits(text, 17, 2, rest / 1_000 % 60);
    text[19] = '.';
    digits(text, 20, 3, rest % 1_000);
    text[23] = 'Z';
    return new String(text);
  }

  private static void digits(char[] text, int from, int count, int number) {
    int rest = number;
    for (int i = from + count - 1; i >= from; i--) {
      text[i] = (char) ('0' + rest % 10);
      rest /= 10;
    }
  }

  /**
   * Reads a time.
   *
   * @param text as {@link #text} writes it, or in any other form of RFC 3339 in UTC
   * @throws DateTimeException if it is none
   */
  public static Instant read(String text) {
    Day day = last;
    if (text.length() != LENGTH
        || !text.startsWith(day.text())
        || text.charAt(10) != 'T'
        || text.charAt(13) != ':'
        || text.charAt(16) != ':'
        || text.charAt(19) != '.'
        || text.charAt(23) != 'Z') {
      return Instant.parse(text);
    }
    int hours = number(text, 11, 2);
    int minutes = number(text, 14, 2);
    int seconds = number(text, 17, 2);
    int millis = number(text, 20, 3);
    if (hours < 0
        || hours > 23
        || minutes < 0
        || minutes > 59
        || seconds < 0
        || seconds > 59
        || millis < 0) {
      return Instant.parse(text);
    }
    return Instant.ofEpochMilli(
        day.number() * MILLIS_PER_DAY + ((hours * 60L + minutes) * 60 + seconds) * 1_000 + millis);
  }

  /**
   * Reads a time that another agent may have written.
   *
   * @param text as {@link #text} writes it, or anything else; null for none
   * @return the time; the beginning of 1970 if it is none
   */
  public static Instant readOrEpoch(@Nullable String text) {
    try {
      return text == null ? Instant.EPOCH : read(text);
    } catch (DateTimeException none) {
      return Instant.EPOCH;
    }
  }

  /** The number at a place; negative when there are other characters. */
  private static int number(String text, int from, int count) {
    int number = 0;
    for (int i = from; i < from + count; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = 10 * number + digit;
    }
    return number;
  }
}
