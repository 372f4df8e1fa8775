package io.probelet.nodehealth.policy;

import java.time.Duration;
import java.util.Locale;

/** Durations as users write them. */
final class DurationText {
  private DurationText() {}

  static String of(Duration duration) {
    return duration.toString().substring(2).toLowerCase(Locale.ROOT);
  }
}
