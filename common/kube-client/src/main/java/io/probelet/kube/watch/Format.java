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
   * @param object at the object's beginning; afterwards at its end, or within it where nothing that
   *     follows matters
   * @param before returns what was read last of the object of a name, parts of which may be used
   *     again; asked for names of objects without a namespace only
   * @return the object; null if it cannot be followed, and is to be passed over
   * @throws TooLargeException if it is larger than is read of one; the watch goes on
   * @throws IOException if it is not JSON, or not an object of this kind
   */
  @Nullable Item<T> read(JsonParser object, Function<String, @Nullable T> before)
      throws IOException;
}
