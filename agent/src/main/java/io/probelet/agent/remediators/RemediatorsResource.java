package io.probelet.agent.remediators;

import io.probelet.agent.http.Resource;
import io.probelet.remediator.controller.NodeRemediators;
import java.util.List;
import java.util.Map;

/** {@code /api/v1/remediators}: what is being done to which node, and what waits for what. */
final class RemediatorsResource implements Resource {
  private final NodeRemediators remediators;

  RemediatorsResource(NodeRemediators remediators) {
    this.remediators = remediators;
  }

  @Override
  public Answer get(Map<String, List<String>> query) throws Exception {
    RemediatorsView view =
        RemediatorsView.of(remediators.report(), remediators.leader().orElse(null));
    return Answer.of(200, JSON, view.json());
  }
}
