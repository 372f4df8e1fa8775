package io.probelet.agent.cluster;

import io.probelet.agent.http.Resource;
import io.probelet.nodehealth.monitor.node.NodeSnapshot;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

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

  /** {@return how to ask for the node, if this watches it} */
  default Optional<Supplier<CompletableFuture<NodeSnapshot>>> node() {
    return Optional.empty();
  }

  /** Ends it, and returns when that is done. */
  @Override
  void close();
}
