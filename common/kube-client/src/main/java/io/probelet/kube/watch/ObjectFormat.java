package io.probelet.kube.watch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.Metadata;
import io.probelet.kube.object.BoundedObject;
import io.probelet.kube.object.BoundedObject.TooLarge;
import io.probelet.kube.object.BoundedObject.Whole;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.object.ObjectLimits;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects of a kind with few objects, as trees of limited size without managed fields.
 *
 * @param apiVersion group and version, which lists of built-in kinds omit
 * @param limits the limits of an object
 */
public record ObjectFormat<T>(
    String apiVersion,
    String kind,
    KeptFields fields,
    ObjectLimits limits,
    Function<ObjectNode, T> reading)
    implements Format<T> {
  /** Reads whole objects of usual size. */
  public ObjectFormat(String apiVersion, String kind, Function<ObjectNode, T> reading) {
    this(apiVersion, kind, KeptFields.ALL, ObjectLimits.USUAL, reading);
  }

  @Override
  public Item<T> read(JsonParser object, Function<String, @Nullable T> before) throws IOException {
    return switch (BoundedObject.read(object, fields, limits)) {
      case TooLarge large -> throw new TooLargeException(large);
      case Whole(ObjectNode tree) -> {
        tree.put("apiVersion", apiVersion).put("kind", kind);
        JsonNode namespace = tree.at("/metadata/namespace");
        yield new Item<>(
            namespace.isTextual() && !namespace.textValue().isEmpty()
                ? namespace.textValue()
                : null,
            tree.at("/metadata/name").asText(),
            Metadata.uid(tree),
            Metadata.version(tree),
            reading.apply(tree));
      }
    };
  }
}
