package io.probelet.kube;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The API's two ways to write a moment. */
public final class WireTime {
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private static final String PLAIN = "0000-00-00T00:00:00Z";

  private WireTime() {}

  /**
   * Reads a moment.
   *
   * @return the moment; null if it is no RFC 3339 date and time
   */
  public static @Nullable Instant read(JsonNode value) {
    return value.isTextual() ? read(value.textValue()) : null;
  }

  /**
   * Reads a moment.
   *
   * @return the moment; null if it is not as RFC 3339 has them
   */
  public static @Nullable Instant read(String text) {
    try {
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
   * Whether it is written as the API server writes a Time. Each node event has five of them, and
   * the formatter takes longer for one than all the rest of the event does (benchmarks/run
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
   * Writes what the API calls Time.
   *
   * @return its whole seconds
   */
  public static String seconds(Instant moment) {
    return moment.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /**
   * Writes what the API calls MicroTime.
   *
   * @return it with six decimals
   */
  public static String micros(Instant moment) {
    return MICROS.format(moment);
  }
}
