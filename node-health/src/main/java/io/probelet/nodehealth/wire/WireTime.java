package io.probelet.nodehealth.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The API's two ways to write a moment. */
public final class WireTime {
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private WireTime() {}

  /**
   * Reads a moment.
   *
   * @param value a JSON value
   * @return the moment; null if it is no RFC 3339 date and time
   */
  public static @Nullable Instant read(JsonNode value) {
    if (!value.isTextual()) {
      return null;
    }
    try {
      return OffsetDateTime.parse(value.textValue()).toInstant();
    } catch (DateTimeException foreign) {
      return null;
    }
  }

  /**
   * Writes what the API calls Time.
   *
   * @param moment a moment
   * @return its whole seconds
   */
  public static String seconds(Instant moment) {
    return moment.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /**
   * Writes what the API calls MicroTime.
   *
   * @param moment a moment
   * @return it with six decimals
   */
  public static String micros(Instant moment) {
    return MICROS.format(moment);
  }
}
