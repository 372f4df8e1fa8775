package io.probelet.remediator.controller;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.Metadata;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of an order to a node: that it has changed.
 *
 * @param version its resourceVersion
 */
record SeenOrder(String version) {
  /** Reads the orders of a watch. */
  record Reader() implements Format<SeenOrder> {
    @Override
    public Item<SeenOrder> read(JsonParser object, Function<String, @Nullable SeenOrder> before)
        throws IOException {
      if (!(object.readValueAsTree() instanceof ObjectNode tree)) {
        throw new IOException("something that is no NodeOrder");
      }
      String version = Metadata.version(tree);
      return new Item<>(
          tree.at("/metadata/namespace").asText(),
          tree.at("/metadata/name").asText(),
          Metadata.uid(tree),
          version,
          new SeenOrder(version));
    }
  }
}
