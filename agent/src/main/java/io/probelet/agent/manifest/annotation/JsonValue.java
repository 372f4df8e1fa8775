package io.probelet.agent.manifest.annotation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.probelet.agent.manifest.field.Field;
import io.probelet.agent.manifest.tree.Node;
import io.probelet.agent.manifest.tree.NodeJson;
import java.util.Optional;

/** Turns a value of the annotation into the JSON value that a body is compared with. */
final class JsonValue {
  private JsonValue() {}

  /** Returns the value; empty, and complained about, when it is missing or JSON has none such. */
  static Optional<JsonNode> of(Field field) {
    if (!field.isGiven()) {
      field.required("the value expected there, possibly null");
      return Optional.empty();
    }
    Node value = field.value();
    Optional<JsonNode> json =
        value == null ? Optional.of(JsonNodeFactory.instance.nullNode()) : NodeJson.of(value);
    if (json.isEmpty()) {
      field.invalid("must be a value that JSON knows");
    }
    return json;
  }
}
