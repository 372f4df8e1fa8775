package io.probelet.remediator.resource;

import io.probelet.document.field.ApiDuration;
import io.probelet.document.field.Field;
import io.probelet.health.GoDuration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a duration may be; the definitions in deploy/crds have the same.
 *
 * @param least such as 1s
 * @param most such as 24h
 */
record DurationBounds(String least, String most) {
  /**
   * Reads a duration.
   *
   * @return it; null if the field is absent or refused
   */
  @Nullable Duration read(Field field) {
    Duration read = ApiDuration.read(field);
    if (read != null
        && (read.compareTo(GoDuration.parse(least)) < 0
            || read.compareTo(GoDuration.parse(most)) > 0)) {
      field.invalid("must be from " + least + " to " + most);
      return null;
    }
    return read;
  }

  Duration read(Field field, Duration absent) {
    Duration read = read(field);
    return read == null ? absent : read;
  }
}
