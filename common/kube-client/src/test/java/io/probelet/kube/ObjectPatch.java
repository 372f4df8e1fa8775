package io.probelet.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.zjsonpatch.JsonPatch;
import io.fabric8.zjsonpatch.JsonPatchException;

/** The patch types. */
final class ObjectPatch {
  private ObjectPatch() {}

  /**
   * Changes an object.
   *
   * @throws RefusedRequest if the patch does not fit
   */
  static ObjectNode apply(String type, JsonNode patch, ObjectNode object) {
    if (type.startsWith(ApiServer.JSON_PATCH)) {
      try {
        return (ObjectNode) JsonPatch.apply(patch, object);
      } catch (JsonPatchException unfit) {
        throw new RefusedRequest(422, unfit.getMessage());
      }
    }
    ObjectNode changed = object.deepCopy();
    merge(changed, patch, !type.startsWith(ApiServer.MERGE_PATCH));
    return changed;
  }

  /** Null removes; with types, conditions are merged by theirs. Other lists are replaced. */
  private static void merge(ObjectNode into, JsonNode patch, boolean typed) {
    patch
        .properties()
        .forEach(field -> {
          String name = field.getKey();
          JsonNode value = field.getValue();
          if (value.isNull()) {
            into.remove(name);
          } else if (typed && name.equals("conditions")) {
            value.forEach(
                condition -> mergeCondition(into.withArray(name), (ObjectNode) condition));
          } else if (value.isObject()) {
            ObjectNode inner = into.path(name) instanceof ObjectNode old ? old : into.objectNode();
            merge(inner, value, typed);
            into.set(name, inner);
          } else {
            into.set(name, value);
          }
        });
  }

  private static void mergeCondition(ArrayNode conditions, ObjectNode change) {
    int at = 0;
    while (at < conditions.size() && !conditions.get(at).path("type").equals(change.path("type"))) {
      at++;
    }
    boolean known = at < conditions.size();
    if (change.path("$patch").asText().equals("delete")) {
      conditions.remove(at);
    } else if (known) {
      ((ObjectNode) conditions.get(at)).setAll(change);
    } else {
      conditions.add(change.deepCopy());
    }
  }
}
