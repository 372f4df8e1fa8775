package io.probelet.kube.watch;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects of one kind.
 *
 * @param <T> what is kept of one
 */
@FunctionalInterface
public interface Format<T> {
  /**
   * Reads one.
   *
   * @param object at the object's beginning; afterwards at its end, or within it if the rest is
   *     irrelevant
   * @param before returns the last read value of a named object, parts of which may be reused;
   *     called for objects without a namespace only
   * @return the object; null if it must be skipped
   * @throws TooLargeException if it exceeds the limits; the watch continues
   * @throws IOException if it is not JSON, or not an object of this kind
   */
  @Nullable Item<T> read(JsonParser object, Function<String, @Nullable T> before)
      throws IOException;
}
