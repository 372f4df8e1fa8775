package io.probelet.agent.order;

import io.probelet.kube.ApiServer;
import io.probelet.monitor.node.NodeSnapshot;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.web.part.ControllerContext;
import io.probelet.web.part.Part;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Begins to carry out orders to the node, if the administrator wants that. */
@FunctionalInterface
public interface OrderStart {
  /**
   * Begins.
   *
   * @param context what the agent has; its identity is the node's name
   * @param engine asks for all that is probed, with so many past outcomes of each probe
   * @return the part; empty if no orders are carried out
   */
  Optional<Part> start(
      ApiServer api,
      ControllerContext context,
      Supplier<CompletableFuture<NodeSnapshot>> node,
      IntFunction<CompletableFuture<List<ContainerSnapshot>>> engine);
}
