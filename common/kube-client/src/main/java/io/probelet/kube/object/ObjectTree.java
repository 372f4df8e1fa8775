package io.probelet.kube.object;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds the tree of one object, and drops it when it exceeds the limits. */
final class ObjectTree {
  private static final String METADATA = "metadata";
  private static final Set<String> IDENTITY = Set.of("namespace", "name", "uid", "resourceVersion");
  private static final String MANAGED_FIELDS = "managedFields";

  private final ObjectLimits limits;
  private final ObjectNode identity = JsonNodeFactory.instance.objectNode();
  private int values;
  private long chars;

  ObjectTree(ObjectLimits limits) {
    this.limits = limits;
  }

  BoundedObject read(JsonParser object, KeptFields fields) throws IOException {
    if (!object.isExpectedStartObjectToken()) {
      throw new IOException("not an object");
    }
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    while (object.nextToken() == JsonToken.FIELD_NAME) {
      String name = object.currentName();
      object.nextToken();
      if (name.equals(METADATA) && object.isExpectedStartObjectToken()) {
        KeptFields kept = fields.in(name);
        root.set(name, metadata(object, kept == null ? KeptFields.of() : kept));
      } else {
        field(object, root, name, fields, 1);
      }
    }
    return isFull() ? new BoundedObject.TooLarge(identity, limits) : new BoundedObject.Whole(root);
  }

  /** Reads any value; null if it exceeds the limits. */
  @Nullable JsonNode any(JsonParser json) throws IOException {
    JsonNode value = value(json, KeptFields.ALL, 0);
    return isFull() ? null : value;
  }

  /** Identifying fields are small and do not count. */
  private ObjectNode metadata(JsonParser object, KeptFields fields) throws IOException {
    ObjectNode metadata = JsonNodeFactory.instance.objectNode();
    while (object.nextToken() == JsonToken.FIELD_NAME) {
      String name = object.currentName();
      object.nextToken();
      if (IDENTITY.contains(name) && object.currentToken() == JsonToken.VALUE_STRING) {
        String text = object.getText();
        metadata.put(name, text);
        identity.withObject("/" + METADATA).put(name, text);
      } else if (name.equals(MANAGED_FIELDS)) {
        object.skipChildren();
      } else {
        field(object, metadata, name, fields, 2);
      }
    }
    return metadata;
  }

  private void field(JsonParser object, ObjectNode to, String name, KeptFields fields, int depth)
      throws IOException {
    KeptFields kept = fields.in(name);
    if (kept == null) {
      object.skipChildren();
      return;
    }
    chars += name.length();
    JsonNode value = value(object, kept, depth);
    if (!value.isMissingNode()) {
      to.set(name, value);
    }
  }

  private JsonNode value(JsonParser object, KeptFields fields, int depth) throws IOException {
    values++;
    if (depth > ObjectLimits.DEPTH) {
      values = Integer.MAX_VALUE / 2;
    }
    if (isFull()) {
      object.skipChildren();
      return MissingNode.getInstance();
    }
    JsonNodeFactory make = JsonNodeFactory.instance;
    return switch (object.currentToken()) {
      case START_OBJECT -> children(object, fields, depth);
      case START_ARRAY -> elements(object, fields, depth);
      case VALUE_STRING -> {
        chars += object.getTextLength();
        yield isFull() ? MissingNode.getInstance() : make.textNode(object.getText());
      }
      case VALUE_NUMBER_INT -> number(object);
      case VALUE_NUMBER_FLOAT -> make.numberNode(object.getDoubleValue());
      case VALUE_TRUE -> make.booleanNode(true);
      case VALUE_FALSE -> make.booleanNode(false);
      case VALUE_NULL -> make.nullNode();
      default -> throw new IOException("truncated object");
    };
  }

  private static JsonNode number(JsonParser object) throws IOException {
    JsonNodeFactory make = JsonNodeFactory.instance;
    return switch (object.getNumberType()) {
      case INT -> make.numberNode(object.getIntValue());
      case LONG -> make.numberNode(object.getLongValue());
      default -> make.numberNode(object.getBigIntegerValue());
    };
  }

  private ObjectNode children(JsonParser object, KeptFields fields, int depth) throws IOException {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    while (object.nextToken() == JsonToken.FIELD_NAME) {
      String name = object.currentName();
      object.nextToken();
      field(object, node, name, fields, depth + 1);
    }
    return node;
  }

  private ArrayNode elements(JsonParser object, KeptFields fields, int depth) throws IOException {
    ArrayNode node = JsonNodeFactory.instance.arrayNode();
    for (JsonToken token = object.nextToken();
        token != JsonToken.END_ARRAY;
        token = object.nextToken()) {
      if (token == null) {
        throw new IOException("truncated object");
      }
      JsonNode value = value(object, fields, depth + 1);
      if (!value.isMissingNode()) {
        node.add(value);
      }
    }
    return node;
  }

  private boolean isFull() {
    return values > limits.values() || chars > limits.chars();
  }
}
