package io.probelet.agent.order;

import io.probelet.kube.ApiServer;
import io.probelet.monitor.node.NodeSnapshot;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.web.part.ControllerContext;
import io.probelet.web.part.Part;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Begins what an agent does on its node on request: evidence for people, and orders if enabled. */
@FunctionalInterface
public interface OrderStart {
  /**
   * Begins.
   *
   * @param context what the agent has; its identity is the node's name
   * @param engine asks for all that is probed, with so many past outcomes of each probe
   * @return the parts; empty if nothing is done on request
   */
  List<Part> start(
      ApiServer api,
      ControllerContext context,
      Supplier<CompletableFuture<NodeSnapshot>> node,
      IntFunction<CompletableFuture<List<ContainerSnapshot>>> engine);
}
