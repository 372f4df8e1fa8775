package io.probelet.monitor.rule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.TimeZone;

/** Resolves abbreviations of time zones, which are ambiguous. */
final class ZoneNames {
  private static final String SIGNED_AFTER = "GMT";

  private ZoneNames() {}

  /**
   * Finds an instant by an abbreviation: an abbreviation of the machine's own zone means that zone,
   * one with a number means that many hours, and any other counts as UTC, as in Go.
   */
  static Instant instant(LocalDateTime written, String name, ZoneId zone) {
    TimeZone own = TimeZone.getTimeZone(zone);
    Instant near = written.atZone(zone).toInstant();
    ZoneOffset standard = zone.getRules().getStandardOffset(near);
    if (name.equals(own.getDisplayName(false, TimeZone.SHORT, Locale.ENGLISH))) {
      return written.toInstant(standard);
    }
    if (name.equals(own.getDisplayName(true, TimeZone.SHORT, Locale.ENGLISH))) {
      return written.toInstant(standard).minusMillis(own.getDSTSavings());
    }
    String hours = name.startsWith(SIGNED_AFTER) ? name.substring(SIGNED_AFTER.length()) : name;
    boolean signed = hours.startsWith("+") || hours.startsWith("-");
    Duration offset = signed ? Duration.ofHours(Long.parseLong(hours)) : Duration.ZERO;
    return written.toInstant(ZoneOffset.UTC).minus(offset);
  }
}
