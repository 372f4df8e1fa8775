package io.probelet.fleet.ui;

import io.probelet.fleet.DemoCluster;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.NodeView;
import java.io.IOException;
import java.util.List;

/** The agents of the demo's cluster. */
record DemoAsked(DemoCluster cluster) implements AgentPage.Agents {
  @Override
  public NodeView node(String node) throws IOException {
    return cluster.node(node);
  }

  @Override
  public List<ContainerView> containers(String node, int history) throws IOException {
    return cluster.containers(node, history);
  }
}
