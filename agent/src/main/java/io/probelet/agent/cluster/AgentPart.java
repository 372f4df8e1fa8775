package io.probelet.agent.cluster;

import io.probelet.agent.http.Resource;
import java.util.Map;
import java.util.Optional;

/**
 * Something that an agent does besides probing the pods of its node, from its making until it is
 * closed. A part that cannot work for lack of something says so and tries again; it never throws.
 */
public interface AgentPart extends AutoCloseable {
  /** {@return its name in {@code /readyz}, such as node-monitor} */
  String name();

  /** {@return what is wrong with it; empty when all is well} */
  Optional<String> problem();

  /** {@return what else is answered over HTTP because of it, by path} */
  default Map<String, Resource> resources() {
    return Map.of();
  }

  /** Ends it, and returns when that is done. */
  @Override
  void close();
}
