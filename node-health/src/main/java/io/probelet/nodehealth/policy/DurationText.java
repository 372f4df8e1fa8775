package io.probelet.nodehealth.policy;

import java.time.Duration;
import java.util.Locale;

/** Formats durations for users. */
public final class DurationText {
  private DurationText() {}

  /**
   * {@return a duration in the format of resources, such as 1h30m}
   *
   * @param duration not negative
   */
  public static String of(Duration duration) {
    return duration.toString().substring(2).toLowerCase(Locale.ROOT);
  }
}
