package io.probelet.agent.manifest.annotation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.agent.manifest.field.Field;
import io.probelet.agent.manifest.tree.Node;
import io.probelet.agent.manifest.tree.Node.Mapping;
import io.probelet.agent.manifest.tree.Node.Scalar;
import io.probelet.agent.manifest.tree.Node.Sequence;
import io.probelet.agent.manifest.tree.ScalarValue;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Turns a value of the annotation into the JSON value that a body is compared with. */
final class JsonValue {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private JsonValue() {}

  /** Returns the value; empty, and complained about, when it is missing or JSON has none such. */
  static Optional<JsonNode> of(Field field) {
    if (!field.isGiven()) {
      field.required("the value expected there, possibly null");
      return Optional.empty();
    }
    Node value = field.value();
    JsonNode json = value == null ? JSON.nullNode() : json(value);
    if (json == null) {
      field.invalid("must be a value that JSON knows");
    }
    return Optional.ofNullable(json);
  }

  private static @Nullable JsonNode json(Node node) {
    return switch (node) {
      case Scalar scalar -> scalar(scalar);
      case Sequence sequence -> array(sequence);
      case Mapping mapping -> object(mapping);
    };
  }

  private static @Nullable JsonNode scalar(Scalar scalar) {
    return switch (scalar.type()) {
      case STRING -> JSON.textNode(scalar.text());
      case BOOLEAN -> JSON.booleanNode(ScalarValue.bool(scalar));
      case NULL -> JSON.nullNode();
      case INTEGER, FLOAT -> {
        OptionalLong whole = ScalarValue.integer(scalar);
        yield whole.isPresent()
            ? JSON.numberNode(whole.getAsLong())
            : ScalarValue.decimal(scalar).map(JSON::numberNode).orElse(null);
      }
    };
  }

  private static @Nullable JsonNode array(Sequence sequence) {
    ArrayNode array = JSON.arrayNode();
    for (Node item : sequence.items()) {
      JsonNode json = json(item);
      if (json == null) {
        return null;
      }
      array.add(json);
    }
    return array;
  }

  private static @Nullable JsonNode object(Mapping mapping) {
    ObjectNode object = JSON.objectNode();
    for (Map.Entry<String, Node.Entry> entry : mapping.entries().entrySet()) {
      JsonNode json = json(entry.getValue().value());
      if (json == null) {
        return null;
      }
      object.set(entry.getKey(), json);
    }
    return object;
  }
}
