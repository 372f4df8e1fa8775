package io.probelet.document.tree;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Node.Scalar;
import io.probelet.document.tree.Node.Sequence;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Converts a tree with positions to the JSON tree of the same values. */
public final class NodeJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private NodeJson() {}

  /**
   * Turns a value into JSON.
   *
   * @return the same in JSON; empty if it contains a number that JSON cannot represent, such as
   *     infinity
   */
  public static Optional<JsonNode> of(Node node) {
    return Optional.ofNullable(json(node));
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
