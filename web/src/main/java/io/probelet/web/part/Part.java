package io.probelet.web.part;

import io.probelet.web.http.Resource;
import java.util.Map;
import java.util.Optional;

/**
 * Something that an agent or a controller does besides probing, from creation until it is closed. A
 * part whose prerequisites are missing reports that and retries; it never throws.
 */
public interface Part extends AutoCloseable {
  /** {@return its name in {@code /readyz}, such as node-monitor} */
  String name();

  /** {@return what is wrong with it; empty if nothing is} */
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
