package io.probelet.cli.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * As much of {@code kubectl patch} as a patch of a pod's template takes; what is new comes last.
 */
final class StrategicMerge {
  private static final String DIRECTIVE = "$patch";

  private StrategicMerge() {}

  static JsonNode of(JsonNode object, JsonNode patch) {
    ObjectNode merged = object.deepCopy();
    patch
        .properties()
        .forEach(field -> {
          JsonNode before = merged.path(field.getKey());
          JsonNode value = field.getValue();
          if (value.isNull()) {
            merged.remove(field.getKey());
          } else if (before.isObject() && value.isObject()) {
            merged.set(field.getKey(), of(before, value));
          } else if (before.isArray() && value.path(0).isObject()) {
            String key = field.getKey().equals("volumeMounts") ? "mountPath" : "name";
            merged.set(field.getKey(), lists((ArrayNode) before, value, key));
          } else {
            merged.set(field.getKey(), value);
          }
        });
    return merged;
  }

  private static ArrayNode lists(ArrayNode before, JsonNode patch, String key) {
    ArrayNode merged = before.deepCopy();
    for (JsonNode item : patch) {
      int same = -1;
      for (int i = 0; i < merged.size(); i++) {
        same = merged.get(i).path(key).equals(item.path(key)) ? i : same;
      }
      if (item.path(DIRECTIVE).asText().equals("delete")) {
        if (same < 0) {
          throw new IllegalArgumentException("there is nothing to delete: " + item);
        }
        merged.remove(same);
      } else if (same < 0) {
        merged.add(item);
      } else {
        merged.set(same, of(merged.get(same), item));
      }
    }
    return merged;
  }
}
