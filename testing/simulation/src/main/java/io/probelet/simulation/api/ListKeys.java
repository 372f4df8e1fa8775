package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields that identify the elements of a list, by the name of the list. */
final class ListKeys {
  /** Lists without keys are replaced as a whole. Taints are: they have no keys in the API. */
  private static final Map<String, List<String>> BUILT_IN =
      Map.ofEntries(
          Map.entry("conditions", List.of("type")),
          Map.entry("containers", List.of("name")),
          Map.entry("initContainers", List.of("name")),
          Map.entry("ephemeralContainers", List.of("name")),
          Map.entry("volumes", List.of("name")),
          Map.entry("env", List.of("name")),
          Map.entry("imagePullSecrets", List.of("name")),
          Map.entry("webhooks", List.of("name")),
          Map.entry("volumeMounts", List.of("mountPath")),
          Map.entry("ports", List.of("containerPort")),
          Map.entry("addresses", List.of("type")),
          Map.entry("ownerReferences", List.of("uid")));

  private static final ListKeys OF_BUILT_IN = new ListKeys(BUILT_IN);

  private final Map<String, List<String>> keys;

  private ListKeys(Map<String, List<String>> keys) {
    this.keys = keys;
  }

  static ListKeys of(ApiKind kind) {
    if (!kind.is(ApiKind.Trait.CUSTOM)) {
      return OF_BUILT_IN;
    }
    Map<String, List<String>> keys = new HashMap<>();
    keys.put("ownerReferences", List.of("uid"));
    collect("", kind.schema(), keys);
    return new ListKeys(keys);
  }

  private static void collect(String field, JsonNode schema, Map<String, List<String>> keys) {
    if (schema.path("x-kubernetes-list-type").asText().equals("map")) {
      List<String> own = new ArrayList<>();
      schema.path("x-kubernetes-list-map-keys").forEach(key -> own.add(key.asText()));
      keys.put(field, own);
    }
    schema
        .path("properties")
        .properties()
        .forEach(each -> collect(each.getKey(), each.getValue(), keys));
    if (schema.has("items")) {
      collect(field + "[]", schema.path("items"), keys);
    }
  }

  /** {@return the keys of a list; null if it is replaced as a whole} */
  @Nullable List<String> of(String field) {
    return keys.get(field);
  }

  /** {@return the position of the element with the same keys; negative if there is none} */
  static int find(Iterable<JsonNode> list, JsonNode element, List<String> keys) {
    int at = 0;
    for (JsonNode each : list) {
      if (isSame(each, element, keys)) {
        return at;
      }
      at++;
    }
    return -1;
  }

  private static boolean isSame(JsonNode one, JsonNode other, List<String> keys) {
    return keys.stream().allMatch(key -> one.path(key).equals(other.path(key)));
  }
}
