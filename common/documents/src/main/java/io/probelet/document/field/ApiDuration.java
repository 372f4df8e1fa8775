package io.probelet.document.field;

import io.probelet.health.GoDuration;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations in Kubernetes resources: numbers with units. */
public final class ApiDuration {
  private static final String TERMS = "([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+";

  /** The pattern in resource definitions. */
  public static final String PATTERN = "^" + TERMS + "$";

  /** No meaningful duration is longer, and matching needs stack per term. */
  private static final int MAX_CHARS = 100;

  private static final Pattern UNSIGNED = Pattern.compile(TERMS);
  private static final Pattern SIGNED = Pattern.compile("-?" + TERMS);

  private ApiDuration() {}

  /**
   * Reads a duration.
   *
   * @return zero or more; null when absent or invalid
   */
  public static @Nullable Duration read(Field field) {
    return read(field, UNSIGNED, "must be a duration such as 90s, 1.5h or 2h45m");
  }

  /**
   * Reads a duration that may be negative.
   *
   * @return the duration; null when absent or invalid
   */
  public static @Nullable Duration readSigned(Field field) {
    return read(field, SIGNED, "must be a duration such as 90s or 2h45m, or a negative one");
  }

  private static @Nullable Duration read(Field field, Pattern pattern, String rule) {
    if (!field.isPresent()) {
      return null;
    }
    String text = field.scalar();
    if (!field.isText() || text.length() > MAX_CHARS || !pattern.matcher(text).matches()) {
      field.invalid(rule);
      return null;
    }
    try {
      return GoDuration.parse(text);
    } catch (IllegalArgumentException tooLong) {
      field.invalid("must not be longer than 292 years");
      return null;
    }
  }
}
