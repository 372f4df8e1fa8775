package io.probelet.nodehealth.policy;

import java.time.Month;
import java.util.List;
import java.util.Locale;

/** Reads schedules of five fields. */
final class CronParser {
  /** No useful schedule is longer. */
  private static final int MAX_CHARS = 200;

  private static final List<String> MONTHS =
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
  private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

  private CronParser() {}

  /** The values of a field; names count from the minimum. */
  private record Range(String field, int least, int most, List<String> names) {}

  private static final List<Range> RANGES =
      List.of(
          new Range("minute", 0, 59, List.of()),
          new Range("hour", 0, 23, List.of()),
          new Range("day of the month", 1, 31, List.of()),
          new Range("month", 1, 12, MONTHS),
          new Range("day of the week", 0, 7, DAYS));

  /** Throws an IllegalArgumentException with the error. */
  static CronSchedule parse(String text) {
    String[] fields = text.length() > MAX_CHARS ? new String[0] : text.strip().split("[ \t]+", -1);
    if (fields.length != RANGES.size()) {
      throw new IllegalArgumentException(
          "must be five fields: minute, hour, day of the month, month, day of the week, such as"
              + " 0 22 * * SAT");
    }
    long[] bits = new long[RANGES.size()];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = field(fields[i].toUpperCase(Locale.ROOT), RANGES.get(i));
    }
    long week = (bits[4] | bits[4] >> 7) & 0b1111111; // 7 also means Sunday
    boolean eitherDay = !fields[2].startsWith("*") && !fields[4].startsWith("*");
    if (!eitherDay && !everComes(bits[2], bits[3])) {
      throw new IllegalArgumentException("selects days that none of its months has");
    }
    return new CronSchedule(bits[0], bits[1], bits[2], bits[3], week, eitherDay);
  }

  private static boolean everComes(long days, long months) {
    for (Month month : Month.values()) {
      boolean named = (months >> month.getValue() & 1) != 0;
      if (named && Long.numberOfTrailingZeros(days) <= month.maxLength()) {
        return true;
      }
    }
    return false;
  }

  private static long field(String text, Range range) {
    long bits = 0;
    for (String part : text.split(",", -1)) {
      bits |= part(part, text, range);
    }
    return bits;
  }

  private static long part(String part, String field, Range range) {
    String[] stepped = part.split("/", 2);
    String[] span = stepped[0].split("-", 2);
    int from;
    int to;
    if (stepped[0].equals("*")) {
      from = range.least();
      to = range.most();
    } else {
      from = value(span[0], field, range);
      if (span.length == 2) {
        to = value(span[1], field, range);
      } else {
        to = stepped.length == 2 ? range.most() : from;
      }
    }
    int step = stepped.length == 2 ? number(stepped[1]) : 1;
    if (step < 1 || from > to) {
      throw refused(field, range);
    }
    long bits = 0;
    for (int value = from; value <= to; value += step) {
      bits |= 1L << value;
    }
    return bits;
  }

  private static int value(String text, String field, Range range) {
    int named = range.names().indexOf(text);
    int value = named >= 0 ? range.least() + named : number(text);
    if (value < range.least() || value > range.most()) {
      throw refused(field, range);
    }
    return value;
  }

  /** A number of at most two digits; -1 for anything else. */
  private static int number(String text) {
    return text.matches("[0-9]{1,2}") ? Integer.parseInt(text) : -1;
  }

  private static IllegalArgumentException refused(String field, Range range) {
    return new IllegalArgumentException(
        "its %s \"%s\" must be *, numbers from %d to %d%s, ranges such as %d-%d, or steps such as */2, with commas"
            .formatted(
                range.field(),
                field,
                range.least(),
                range.most(),
                range.names().isEmpty() ? "" : " or names such as " + range.names().get(1),
                range.least(),
                range.least() + 2));
  }
}
