package io.probelet.nodehealth.watch;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

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
   * @param object at the object's beginning; afterwards at its end
   * @return the object
   * @throws IOException if it is not JSON, or not an object of this kind
   */
  Item<T> read(JsonParser object) throws IOException;
}
