package io.probelet.kube.watch;

import io.probelet.kube.protobuf.ProtobufFields;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects of a kind that an API server has protobuf for, and that there are many of: as
 * protobuf if the server sends it, as JSON otherwise.
 *
 * @param <T> what is kept of one
 */
public interface ProtobufFormat<T> extends Format<T> {
  /**
   * Reads one.
   *
   * @param object at the object's beginning; afterwards at its end, or within it where nothing that
   *     follows matters
   * @return the object; null if it cannot be followed, and is to be passed over
   * @throws IOException if it is not an object of this kind
   */
  @Nullable Item<T> read(ProtobufFields object, Function<String, @Nullable T> before)
      throws IOException;
}
