package io.probelet.monitor.rule;

import io.probelet.document.field.Field;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads common values of monitor files. Each method reports invalid values. */
final class MonitorValues {
  private MonitorValues() {}

  /** A duration of zero or more in Go's notation; null when there is none, or an empty text. */
  static @Nullable Duration duration(Field field) {
    if (field.isText() && field.text("").isEmpty()) {
      return null;
    }
    Duration duration = field.duration();
    if (duration != null && duration.isNegative()) {
      field.invalid("must not be negative");
      return null;
    }
    return duration;
  }

  static Duration duration(Field field, Duration absent) {
    Duration duration = duration(field);
    return duration == null ? absent : duration;
  }

  static Duration positive(Field field, Duration absent) {
    Duration duration = duration(field, absent);
    if (field.isPresent() && duration.isZero()) {
      field.invalid("must be above zero");
      return absent;
    }
    return duration;
  }

  static int percent(Field field, int absent) {
    int percent = field.int32(absent);
    if (percent < 1 || percent > 100) {
      field.invalid("must be 1 to 100");
      return absent;
    }
    return percent;
  }
}
