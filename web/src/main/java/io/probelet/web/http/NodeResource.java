package io.probelet.web.http;

import io.probelet.web.api.NodeView;
import io.probelet.web.api.ViewJson;
import java.util.List;
import java.util.Map;

/**
 * {@code /api/v1/node}: this node's conditions, newest events, monitors and the agent itself as
 * JSON; with recent changes of each condition if asked for.
 */
public final class NodeResource implements Resource {
  private final WatchedNode node;

  /**
   * Creates the resource.
   *
   * @param node asked at each request
   */
  public NodeResource(WatchedNode node) {
    this.node = node;
  }

  @Override
  public Answer get(Map<String, List<String>> query) throws Exception {
    int history =
        ContainersResource.history(query.getOrDefault("history", List.of("false")).getLast());
    NodeView now = node.view(history);
    return Answer.of(200, JSON, ViewJson.write(now));
  }
}
