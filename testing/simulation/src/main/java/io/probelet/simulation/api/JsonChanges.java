package io.probelet.simulation.api;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * JSON patches (RFC 6902) as kube-apiserver applies them: removing a missing field is refused,
 * which fabric8's zjsonpatch accepts.
 */
final class JsonChanges {
  private JsonChanges() {}

  /**
   * Applies all changes.
   *
   * @param object is changed
   * @throws RefusedRequest if one does not fit, possibly after some changes
   */
  static void apply(JsonNode patch, ObjectNode object) {
    if (!patch.isArray()) {
      throw RefusedRequest.badRequest("the patch is not a list");
    }
    for (JsonNode each : patch) {
      try {
        change(each, object);
      } catch (IllegalArgumentException invalid) {
        throw unfit(each, String.valueOf(invalid.getMessage()));
      }
    }
  }

  private static RefusedRequest unfit(JsonNode change, String why) {
    return new RefusedRequest(
        422,
        "Invalid",
        "the server rejected our request due to an error in our request: %s: %s"
            .formatted(change, why));
  }

  private static void change(JsonNode change, ObjectNode object) {
    JsonPointer path = JsonPointer.compile(change.path("path").asText());
    JsonPointer from = JsonPointer.compile(change.path("from").asText(""));
    switch (change.path("op").asText()) {
      case "test" -> {
        if (!object.at(path).equals(change.path("value"))) {
          throw unfit(change, "testing value failed");
        }
      }
      case "add" -> add(change, object, path, change.path("value"));
      case "replace" -> {
        requireThere(change, object, path);
        replace(object, path, change.path("value"));
      }
      case "remove" -> {
        requireThere(change, object, path);
        remove(object, path);
      }
      case "copy" -> {
        requireThere(change, object, from);
        add(change, object, path, object.at(from));
      }
      case "move" -> {
        requireThere(change, object, from);
        JsonNode moved = object.at(from);
        remove(object, from);
        add(change, object, path, moved);
      }
      default -> throw unfit(change, "unexpected kind");
    }
  }

  private static void requireThere(JsonNode change, ObjectNode object, JsonPointer path) {
    if (path.matches() || object.at(path).isMissingNode()) {
      throw unfit(change, "there is no value at " + path);
    }
  }

  private static void add(JsonNode change, ObjectNode object, JsonPointer path, JsonNode value) {
    JsonPointer last = path.last();
    JsonNode parent = path.matches() ? object.missingNode() : object.at(path.head());
    if (parent instanceof ObjectNode into) {
      into.set(last.getMatchingProperty(), value.deepCopy());
    } else if (parent instanceof ArrayNode into && last.getMatchingProperty().equals("-")) {
      into.add(value.deepCopy());
    } else if (parent instanceof ArrayNode into
        && last.getMatchingIndex() >= 0
        && last.getMatchingIndex() <= into.size()) {
      into.insert(last.getMatchingIndex(), value.deepCopy());
    } else {
      throw unfit(change, "there is no place at " + path);
    }
  }

  private static void replace(ObjectNode object, JsonPointer path, JsonNode value) {
    JsonPointer last = path.last();
    if (object.at(path.head()) instanceof ArrayNode into) {
      into.set(last.getMatchingIndex(), value.deepCopy());
    } else {
      ((ObjectNode) object.at(path.head())).set(last.getMatchingProperty(), value.deepCopy());
    }
  }

  private static void remove(ObjectNode object, JsonPointer path) {
    JsonPointer last = path.last();
    if (object.at(path.head()) instanceof ArrayNode from) {
      from.remove(last.getMatchingIndex());
    } else {
      ((ObjectNode) object.at(path.head())).remove(last.getMatchingProperty());
    }
  }
}
