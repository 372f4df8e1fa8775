package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The types of patches. The arguments stay as they are. */
final class ObjectPatch {
  static final String APPLY = "application/apply-patch+yaml";
  private static final String JSON = "application/json-patch+json";
  static final String MERGE = "application/merge-patch+json";
  private static final String STRATEGIC = "application/strategic-merge-patch+json";

  private static final String DIRECTIVE = "$patch";

  private ObjectPatch() {}

  /**
   * Changes an object.
   *
   * @throws RefusedRequest if the patch does not fit
   */
  static ObjectNode apply(ApiKind kind, String type, JsonNode patch, ObjectNode object) {
    ObjectNode changed = object.deepCopy();
    switch (type) {
      case JSON -> JsonChanges.apply(patch, changed);
      case MERGE -> merge(changed, asObject(patch));
      case STRATEGIC -> {
        if (kind.is(ApiKind.Trait.CUSTOM)) {
          throw new RefusedRequest(
              415,
              "UnsupportedMediaType",
              "the body of the request was in an unknown format - accepted media types include: "
                  + String.join(", ", JSON, MERGE, APPLY));
        }
        strategic(changed, asObject(patch), ListKeys.of(kind));
      }
      default ->
          throw new RefusedRequest(
              415, "UnsupportedMediaType", "the body of the request was in an unknown format");
    }
    return changed;
  }

  private static ObjectNode asObject(JsonNode patch) {
    if (patch instanceof ObjectNode object) {
      return object;
    }
    throw RefusedRequest.badRequest("the patch is not an object");
  }

  /** RFC 7386: null removes, lists are replaced. */
  private static void merge(ObjectNode into, ObjectNode patch) {
    patch
        .properties()
        .forEach(field -> {
          String name = field.getKey();
          JsonNode value = field.getValue();
          if (value.isNull()) {
            into.remove(name);
          } else if (value instanceof ObjectNode object) {
            ObjectNode inner = into.path(name) instanceof ObjectNode old ? old : into.objectNode();
            merge(inner, object);
            into.set(name, inner);
          } else {
            into.set(name, value);
          }
        });
  }

  private static void strategic(ObjectNode into, ObjectNode patch, ListKeys keys) {
    String directive = patch.path(DIRECTIVE).asText();
    if (directive.equals("replace") || directive.equals("delete")) {
      into.removeAll();
      if (directive.equals("delete")) {
        return;
      }
    }
    patch
        .properties()
        .forEach(field -> {
          String name = field.getKey();
          JsonNode value = field.getValue();
          if (name.startsWith("$deleteFromPrimitiveList/")) {
            removeAll(into, name.substring(name.indexOf('/') + 1), value);
          } else if (name.startsWith("$")) {
            return; // an order of elements, which nothing depends on, or the directive
          } else if (value.isNull()) {
            into.remove(name);
          } else if (value instanceof ArrayNode list) {
            strategicList(into, name, list, keys);
          } else if (value instanceof ObjectNode object) {
            ObjectNode inner = into.path(name) instanceof ObjectNode old ? old : into.objectNode();
            strategic(inner, object, keys);
            into.set(name, inner);
          } else {
            into.set(name, value);
          }
        });
  }

  private static void strategicList(
      ObjectNode into, String name, ArrayNode change, ListKeys listKeys) {
    List<String> keys = listKeys.of(name);
    if (name.equals("finalizers")) {
      ArrayNode all = into.withArray("/" + name);
      for (JsonNode each : change) {
        if (position(all, each) < 0) {
          all.add(each);
        }
      }
      return;
    }
    boolean replace = false;
    for (JsonNode each : change) {
      replace |= each.size() == 1 && each.path(DIRECTIVE).asText().equals("replace");
    }
    if (keys == null || replace) {
      ArrayNode whole = into.putArray(name);
      for (JsonNode each : change) {
        if (!each.has(DIRECTIVE)) {
          whole.add(each.deepCopy());
        }
      }
      return;
    }
    ArrayNode list = into.withArray("/" + name);
    List<JsonNode> before = new ArrayList<>();
    list.forEach(before::add);
    for (JsonNode element : change) {
      mergeElement(list, (ObjectNode) element, keys, listKeys);
    }
    order(list, before, change, keys);
  }

  /** Elements of the patch that are new come before those that only the object has. */
  private static void order(
      ArrayNode list, List<JsonNode> before, ArrayNode change, List<String> keys) {
    Deque<JsonNode> own = new ArrayDeque<>();
    Deque<JsonNode> patched = new ArrayDeque<>();
    for (JsonNode each : list) {
      if (ListKeys.find(change, each, keys) < 0) {
        own.add(each);
      }
    }
    for (JsonNode each : change) {
      int at = ListKeys.find(list, each, keys);
      if (at >= 0) {
        patched.add(list.get(at));
      }
    }
    list.removeAll();
    while (!own.isEmpty() || !patched.isEmpty()) {
      boolean ownFirst =
          patched.isEmpty()
              || (!own.isEmpty() && isBefore(before, own.getFirst(), patched.getFirst(), keys));
      list.add(ownFirst ? own.remove() : patched.remove());
    }
  }

  private static boolean isBefore(
      List<JsonNode> before, JsonNode left, JsonNode right, List<String> keys) {
    int leftAt = ListKeys.find(before, left, keys);
    int rightAt = ListKeys.find(before, right, keys);
    return leftAt >= 0 && rightAt >= 0 && leftAt < rightAt;
  }

  private static void mergeElement(
      ArrayNode list, ObjectNode change, List<String> keys, ListKeys listKeys) {
    int at = ListKeys.find(list, change, keys);
    if (change.path(DIRECTIVE).asText().equals("delete")) {
      if (at >= 0) {
        list.remove(at);
      }
    } else if (at >= 0) {
      strategic((ObjectNode) list.get(at), change, listKeys);
    } else {
      strategic(list.addObject(), change, listKeys);
    }
  }

  private static void removeAll(ObjectNode into, String name, JsonNode values) {
    if (into.path(name) instanceof ArrayNode list) {
      for (JsonNode each : values) {
        int at = position(list, each);
        if (at >= 0) {
          list.remove(at);
        }
      }
    }
  }

  private static int position(ArrayNode list, JsonNode value) {
    for (int at = 0; at < list.size(); at++) {
      if (list.get(at).equals(value)) {
        return at;
      }
    }
    return -1;
  }

  /**
   * Applies a part of an object by server-side apply.
   *
   * @param before what the same manager applied earlier; null if it did not
   * @param part what it applies now
   */
  static ObjectNode applied(
      ApiKind kind, ObjectNode object, @Nullable ObjectNode before, ObjectNode part) {
    ListKeys keys = ListKeys.of(kind);
    ObjectNode changed = object.deepCopy();
    if (before != null) {
      drop(changed, before, part, keys);
    }
    union(changed, part, keys);
    return changed;
  }

  /** Removes what the manager applied and no longer applies. */
  private static void drop(ObjectNode from, ObjectNode before, ObjectNode now, ListKeys keys) {
    before
        .properties()
        .forEach(field -> {
          String name = field.getKey();
          JsonNode there = from.path(name);
          JsonNode still = now.path(name);
          if (still.isMissingNode()) {
            from.remove(name);
          } else if (field.getValue() instanceof ObjectNode old
              && there instanceof ObjectNode inner
              && still instanceof ObjectNode kept) {
            drop(inner, old, kept, keys);
          } else if (field.getValue() instanceof ArrayNode old
              && there instanceof ArrayNode inner
              && still instanceof ArrayNode kept) {
            dropElements(inner, old, kept, keys.of(name), keys);
          }
        });
  }

  private static void dropElements(
      ArrayNode from, ArrayNode before, ArrayNode now, @Nullable List<String> own, ListKeys keys) {
    if (own == null) {
      return;
    }
    for (JsonNode old : before) {
      int at = ListKeys.find(from, old, own);
      int still = ListKeys.find(now, old, own);
      if (at >= 0 && still < 0) {
        from.remove(at);
      } else if (at >= 0) {
        drop((ObjectNode) from.get(at), (ObjectNode) old, (ObjectNode) now.get(still), keys);
      }
    }
  }

  private static void union(ObjectNode into, ObjectNode part, ListKeys keys) {
    part.properties()
        .forEach(field -> {
          String name = field.getKey();
          JsonNode value = field.getValue();
          List<String> own = keys.of(name);
          if (value instanceof ObjectNode object) {
            ObjectNode inner = into.path(name) instanceof ObjectNode old ? old : into.objectNode();
            union(inner, object, keys);
            into.set(name, inner);
          } else if (value instanceof ArrayNode elements && own != null) {
            ArrayNode list = into.withArray("/" + name);
            for (JsonNode element : elements) {
              int at = ListKeys.find(list, element, own);
              ObjectNode target = at < 0 ? list.addObject() : (ObjectNode) list.get(at);
              union(target, (ObjectNode) element, keys);
            }
          } else if (!value.isNull()) {
            into.set(name, value.deepCopy());
          }
        });
  }
}
