package io.probelet.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.function.Function;

/**
 * The part of an object that is kept, and about how much memory it takes.
 *
 * @param weight in bytes
 */
record Weighed<T>(T value, int weight) {
  /** Bytes of a value besides its text. */
  private static final int VALUE = 40;

  /** {@return a reading whose result weighs as much as what it was read from} */
  static <T> Function<ObjectNode, Weighed<T>> reading(Function<ObjectNode, T> reading) {
    return object -> of(reading.apply(object), object);
  }

  /** {@return a value that weighs as much as what it was read from} */
  static <T> Weighed<T> of(T value, JsonNode source) {
    return new Weighed<>(value, weight(source));
  }

  private static int weight(JsonNode value) {
    int sum = VALUE;
    if (value.isTextual()) {
      sum += value.textValue().length();
    }
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      sum += field.getKey().length() + weight(field.getValue());
    }
    if (value.isArray()) {
      for (JsonNode element : value) {
        sum += weight(element);
      }
    }
    return sum;
  }
}
