package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.tape.TapeLine.NodeSeen;
import io.probelet.nodehealth.wire.NodeFormat;
import java.io.IOException;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the parts of nodes that a tape contains; the line's time is set later. */
final class RecordedNodeFormat implements Format<NodeSeen> {
  private final NodeFormat facts = new NodeFormat();

  @Override
  public Item<NodeSeen> read(JsonParser object, Function<String, @Nullable NodeSeen> before)
      throws IOException {
    JsonNode tree = object.readValueAsTree();
    Item<NodeFacts> node = facts.read(tree, _ -> null);
    JsonNode cordoned = tree.at("/spec/unschedulable");
    return new Item<>(
        null,
        node.name(),
        node.uid(),
        node.version(),
        new NodeSeen(Instant.EPOCH, node.value(), cordoned.asBoolean(false)));
  }
}
