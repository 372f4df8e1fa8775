package io.probelet.agent.diagnose;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.monitor.evidence.EvidenceCollector;
import io.probelet.monitor.evidence.EvidenceOutput;
import io.probelet.web.api.NodeView;
import io.probelet.web.api.NodeView.ConditionView;
import java.io.IOException;

/**
 * The node's conditions as its monitor knows them, what has changed of them lately, and which
 * monitors cannot observe what they are for.
 */
record ConditionsPart(EvidenceQuery<NodeView> node) implements EvidenceCollector {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String HEALTHY = "False";

  @Override
  public void collect(EvidenceOutput out) throws IOException, InterruptedException {
    NodeView view = node.get();
    for (ConditionView each : view.conditions()) {
      out.json(line("condition", each));
      if (!each.status().equals(HEALTHY)) {
        out.highlight(
            "%s=%s %s since %s: %s"
                .formatted(
                    each.type(),
                    each.status(),
                    each.reason(),
                    each.lastTransitionTime(),
                    each.message()));
      }
    }
    view.events().forEach(each -> out.json(line("event", each)));
    view.sources().forEach(each -> out.json(line("source", each)));
    if (view.sources().isEmpty()) {
      out.missing("no node monitor runs on this node");
    }
  }

  private static ObjectNode line(String kind, Object what) {
    return JSON.createObjectNode().put("kind", kind).setAll(JSON.<ObjectNode>valueToTree(what));
  }
}
