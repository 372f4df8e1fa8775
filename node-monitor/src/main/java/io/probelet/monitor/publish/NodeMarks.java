package io.probelet.monitor.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.monitor.rule.TaintSpec;
import java.util.List;

/**
 * What of a Node's metadata is ours to write.
 *
 * @param conditions which of its conditions are ours (B-6)
 * @param taints what its agent wants (B-11)
 */
record NodeMarks(Ownership conditions, List<TaintSpec> taints) {
  static NodeMarks of(JsonNode node) {
    return new NodeMarks(Ownership.of(node), NodeTaints.wanted(node));
  }

  void addTo(ObjectNode patch) {
    ObjectNode metadata = patch.withObject("metadata");
    conditions.addTo(metadata);
    NodeTaints.want(taints, metadata);
  }
}
