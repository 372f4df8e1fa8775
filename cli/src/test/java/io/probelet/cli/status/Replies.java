package io.probelet.cli.status;

import io.probelet.cli.status.AgentClient.Reply;
import io.probelet.web.api.AgentView;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.ManifestsView;
import io.probelet.web.api.NodeView;
import io.probelet.web.api.NodeView.ConditionView;
import io.probelet.web.api.NodeView.Source;
import java.util.List;

/** Answers of agents. */
final class Replies {
  private Replies() {}

  static Reply of(
      String json,
      List<ContainerView> containers,
      List<ConditionView> conditions,
      List<Source> sources,
      ManifestsView manifests) {
    AgentView agent =
        new AgentView(
            "",
            "",
            "",
            null,
            null,
            null,
            List.of(),
            List.of(),
            AgentView.Stalls.NONE,
            null,
            manifests);
    return new Reply(
        json, containers, new NodeView(conditions, List.of(), sources, List.of(), "", agent));
  }
}
