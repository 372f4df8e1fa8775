package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.Metadata;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.wire.ObjectJson;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads objects of a kind that there are few of, and keeps all but their managed fields. */
final class TreeFormat implements Format<JsonNode> {
  private final Kind kind;

  TreeFormat(Kind kind) {
    this.kind = kind;
  }

  @Override
  public Item<JsonNode> read(JsonParser object, Function<String, @Nullable JsonNode> before)
      throws IOException {
    if (!(object.readValueAsTree() instanceof ObjectNode tree)) {
      throw new IOException("something that is no " + kind.kind());
    }
    // In lists of kinds that are not custom these two are left out.
    tree.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
    if (tree.get("metadata") instanceof ObjectNode metadata) {
      metadata.remove("managedFields");
    }
    ObjectRef ref = ObjectJson.ref(tree);
    return new Item<>(
        ref.namespace(), ref.name(), Metadata.uid(tree), Metadata.version(tree), tree);
  }
}
