package io.probelet.kube.watch;

import io.probelet.kube.protobuf.ProtobufFields;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects of a built-in kind with many objects: as protobuf if the server sends it, otherwise
 * as JSON.
 *
 * @param <T> what is kept of one
 */
public interface ProtobufFormat<T> extends Format<T> {
  /**
   * Reads one.
   *
   * @param object at the object's beginning; afterwards at its end, or within it if the rest is
   *     irrelevant
   * @return the object; null if it must be skipped
   * @throws IOException if it is not an object of this kind
   */
  @Nullable Item<T> read(ProtobufFields object, Function<String, @Nullable T> before)
      throws IOException;
}
