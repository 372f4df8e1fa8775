package io.probelet.kube.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.Metadata;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects of a kind that there are few of: as a whole, without their managed fields.
 *
 * @param apiVersion group and version, which lists of kinds that are not custom leave out
 * @param kind the kind, likewise
 * @param reading makes of an object what is kept of it
 * @param <T> the type of that
 */
public record ObjectFormat<T>(String apiVersion, String kind, Function<ObjectNode, T> reading)
    implements Format<T> {
  @Override
  public Item<T> read(JsonParser object, Function<String, @Nullable T> before) throws IOException {
    if (!(object.readValueAsTree() instanceof ObjectNode tree)) {
      throw new IOException("something that is no " + kind);
    }
    tree.put("apiVersion", apiVersion).put("kind", kind);
    if (tree.get("metadata") instanceof ObjectNode metadata) {
      metadata.remove("managedFields");
    }
    JsonNode namespace = tree.at("/metadata/namespace");
    return new Item<>(
        namespace.isTextual() && !namespace.textValue().isEmpty() ? namespace.textValue() : null,
        tree.at("/metadata/name").asText(),
        Metadata.uid(tree),
        Metadata.version(tree),
        reading.apply(tree));
  }
}
