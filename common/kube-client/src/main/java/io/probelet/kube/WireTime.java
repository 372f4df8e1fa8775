package io.probelet.kube;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The API's two time formats. */
public final class WireTime {
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  /** Java's own ISO 8601 also takes times without seconds and offsets with seconds. */
  private static final Pattern RFC_3339 =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)");

  /** The most characters of a time: with nanoseconds and an offset. */
  public static final int MAX_CHARS = 35;

  private static final String PLAIN = "0000-00-00T00:00:00Z";

  private WireTime() {}

  /**
   * Parses a time.
   *
   * @return the time; null if it is not an RFC 3339 date and time
   */
  public static @Nullable Instant read(JsonNode value) {
    return value.isTextual() ? read(value.textValue()) : null;
  }

  /**
   * Parses a time.
   *
   * @return the time; null if it is not RFC 3339
   */
  public static @Nullable Instant read(String text) {
    try {
      if (!isPlain(text) && !RFC_3339.matcher(text).matches()) {
        return null;
      }
      return isPlain(text)
          ? LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10))
              .atTime(number(text, 11, 13), number(text, 14, 16), number(text, 17, 19))
              .toInstant(ZoneOffset.UTC)
          : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException foreign) {
      return null;
    }
  }

  /**
   * Returns whether the text has the API server's Time format. Each node event has five of them,
   * and the generic formatter takes longer for one than the rest of the event (benchmarks/run
   * remediation).
   */
  private static boolean isPlain(String text) {
    if (text.length() != PLAIN.length()) {
      return false;
    }
    for (int i = 0; i < PLAIN.length(); i++) {
      char found = text.charAt(i);
      char wanted = PLAIN.charAt(i);
      if (wanted == '0' ? found < '0' || found > '9' : found != wanted) {
        return false;
      }
    }
    return true;
  }

  private static int number(String text, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      number = 10 * number + text.charAt(i) - '0';
    }
    return number;
  }

  /**
   * Formats a time as the API's Time.
   *
   * @return with whole seconds
   */
  public static String seconds(Instant moment) {
    return moment.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /**
   * Formats a time as the API's MicroTime.
   *
   * @return with six decimals
   */
  public static String micros(Instant moment) {
    return MICROS.format(moment);
  }
}
