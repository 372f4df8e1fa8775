package io.probelet.web.part;

import io.probelet.web.http.Resource;
import java.util.Map;
import java.util.Optional;

/**
 * Something that an agent or a controller does besides probing, from its making until it is closed.
 * A part that cannot work for lack of something says so and tries again; it never throws.
 */
public interface Part extends AutoCloseable {
  /** {@return its name in {@code /readyz}, such as node-monitor} */
  String name();

  /** {@return what is wrong with it; empty when all is well} */
  default Optional<String> problem() {
    return Optional.empty();
  }

  /** {@return what an operator should know of it though nothing is wrong; empty for nothing} */
  default String note() {
    return "";
  }

  /** {@return what else is answered over HTTP because of it, by path} */
  default Map<String, Resource> resources() {
    return Map.of();
  }

  /** Ends it, and returns when that is done. */
  @Override
  void close();
}
