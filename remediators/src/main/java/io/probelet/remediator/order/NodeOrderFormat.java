package io.probelet.remediator.order;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the orders of a watch. */
public final class NodeOrderFormat implements Format<NodeOrder> {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Needs nothing. */
  public NodeOrderFormat() {}

  @Override
  public Item<NodeOrder> read(JsonParser object, Function<String, @Nullable NodeOrder> before)
      throws IOException {
    JsonNode tree = JSON.readTree(object);
    NodeOrder order = NodeOrderJson.read(tree);
    return new Item<>(order.namespace(), order.node(), order.uid(), order.version(), order);
  }
}
