package io.probelet.nodehealth.policy;

import io.probelet.document.field.ApiDuration;
import io.probelet.document.field.Field;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads how long a window of time lasts. */
public final class WindowLength {
  /** The shortest. */
  public static final Duration LEAST = Duration.ofMinutes(1);

  /** The longest. */
  public static final Duration MOST = Duration.ofDays(7);

  private WindowLength() {}

  /**
   * Reads a required length.
   *
   * @param rule what it means, with an example
   * @return the length; null if it is absent or invalid, which is reported
   */
  public static @Nullable Duration read(Field field, String rule) {
    if (!field.isPresent()) {
      field.required(rule);
    }
    Duration length = ApiDuration.read(field);
    if (length != null && (length.compareTo(LEAST) < 0 || length.compareTo(MOST) > 0)) {
      field.invalid("must be from 1m to 168h");
      return null;
    }
    return length;
  }
}
