package io.probelet.agent.http;

import io.probelet.agent.api.NodeView;
import io.probelet.agent.api.NodeViewJson;
import io.probelet.monitor.node.NodeSnapshot;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** {@code /api/v1/node}: this node's conditions, newest events and monitors as JSON. */
public final class NodeResource implements Resource {
  private static final int TIMEOUT_SECONDS = 5;

  private final Supplier<CompletableFuture<NodeSnapshot>> node;

  /**
   * Creates the resource.
   *
   * @param node asked at each request
   */
  public NodeResource(Supplier<CompletableFuture<NodeSnapshot>> node) {
    this.node = node;
  }

  @Override
  public Answer get(Map<String, List<String>> query) throws Exception {
    NodeSnapshot now = node.get().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    return Answer.of(200, JSON, NodeViewJson.write(NodeView.of(now)));
  }
}
