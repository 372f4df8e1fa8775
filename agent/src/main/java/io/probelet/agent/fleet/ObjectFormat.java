package io.probelet.agent.fleet;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.Metadata;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects of a kind that there are few of.
 *
 * @param apiVersion group and version, which lists of built-in kinds leave out
 * @param kind the kind, likewise
 * @param reading makes of an object what is kept of it; null to pass it over
 * @param <T> the type of that
 */
record ObjectFormat<T>(String apiVersion, String kind, Function<ObjectNode, @Nullable T> reading)
    implements Format<T> {
  @Override
  public @Nullable Item<T> read(JsonParser object, Function<String, @Nullable T> before)
      throws IOException {
    if (!(object.readValueAsTree() instanceof ObjectNode tree)) {
      throw new IOException("something that is no " + kind);
    }
    tree.put("apiVersion", apiVersion).put("kind", kind);
    if (tree.get("metadata") instanceof ObjectNode metadata) {
      metadata.remove("managedFields");
    }
    T kept = reading.apply(tree);
    JsonNode namespace = tree.at("/metadata/namespace");
    return kept == null
        ? null
        : new Item<>(
            namespace.isTextual() ? namespace.textValue() : null,
            tree.at("/metadata/name").asText(),
            Metadata.uid(tree),
            Metadata.version(tree),
            kept);
  }
}
