package io.probelet.agent.fleet;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.wire.NodeFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a Node.
 *
 * @param facts what remediation needs to know
 * @param cordoned whether it takes no new pods
 * @param taints as {@code key=value:Effect}
 * @param conditions with reasons and messages
 */
record NodeReading(
    NodeFacts facts, boolean cordoned, List<String> taints, List<FleetCondition> conditions) {
  private static final int MAX_TAINTS = 32;

  /** Reads nodes; keeps each text that many of them have once. */
  static final class OfNodes implements Format<NodeReading> {
    private final NodeFormat facts = new NodeFormat();

    @Override
    public Item<NodeReading> read(JsonParser object, Function<String, @Nullable NodeReading> before)
        throws IOException {
      JsonNode tree = object.readValueAsTree();
      Item<NodeFacts> node =
          facts.read(
              tree,
              name -> {
                NodeReading old = before.apply(name);
                return old == null ? null : old.facts();
              });
      return new Item<>(
          null,
          node.name(),
          node.uid(),
          node.version(),
          new NodeReading(
              node.value(),
              tree.at("/spec/unschedulable").asBoolean(false),
              taints(tree.at("/spec/taints")),
              ConditionReader.ofNode(tree.at("/status/conditions"))));
    }

    private static List<String> taints(JsonNode list) {
      List<String> taints = new ArrayList<>();
      for (JsonNode taint : list) {
        if (taints.size() == MAX_TAINTS) {
          break;
        }
        String value = taint.path("value").asText("");
        String text =
            taint.path("key").asText("")
                + (value.isEmpty() ? "" : "=" + value)
                + ":"
                + taint.path("effect").asText("");
        taints.add(FleetText.of(text, FleetText.NAME).intern());
      }
      return List.copyOf(taints);
    }
  }
}
