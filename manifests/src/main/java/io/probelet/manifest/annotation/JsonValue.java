package io.probelet.manifest.annotation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.probelet.document.field.Field;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.NodeJson;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns a value of the annotation into the JSON value that is compared with the body. */
final class JsonValue {
  private JsonValue() {}

  /**
   * Returns the number of values in a value, including itself; a value behind an alias counts each
   * time.
   */
  static int size(@Nullable Node value) {
    return switch (value) {
      case null -> 0;
      case Node.Scalar _ -> 1;
      case Node.Sequence list -> 1 + list.items().stream().mapToInt(JsonValue::size).sum();
      case Node.Mapping map ->
          1 + map.entries().values().stream().mapToInt(each -> size(each.value())).sum();
    };
  }

  /** Returns the value; empty after an error if it is missing or has no JSON form. */
  static Optional<JsonNode> of(Field field) {
    if (!field.isGiven()) {
      field.required("the value expected there, possibly null");
      return Optional.empty();
    }
    Node value = field.value();
    Optional<JsonNode> json =
        value == null ? Optional.of(JsonNodeFactory.instance.nullNode()) : NodeJson.of(value);
    if (json.isEmpty()) {
      field.invalid("must be a JSON value");
    }
    return json;
  }
}
