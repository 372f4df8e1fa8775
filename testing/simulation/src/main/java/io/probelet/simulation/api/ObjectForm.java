package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.api.ApiKind.Trait;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The form of objects: which part a request may change, and what is valid. */
final class ObjectForm {
  private ObjectForm() {}

  /** {@return the object with that part of the wanted one that a request may change} */
  static ObjectNode merged(ApiKind kind, String subresource, ObjectNode before, ObjectNode wanted) {
    if (subresource.equals("status")) {
      ObjectNode after = before.deepCopy();
      copyStatus(wanted, after);
      if (kind.is(Trait.METADATA_WITH_STATUS)) {
        after.set("metadata", wanted.path("metadata").deepCopy());
      }
      return after;
    }
    ObjectNode after = wanted.deepCopy();
    if (kind.is(Trait.STATUS)) {
      copyStatus(before, after);
    }
    return after;
  }

  private static void copyStatus(ObjectNode from, ObjectNode to) {
    to.remove("status");
    if (from.has("status")) {
      to.set("status", from.path("status").deepCopy());
    }
  }

  /** Drops what the server does not store: nulls, empty parts of metadata, unknown fields. */
  static void normalize(ApiKind kind, ObjectNode object) {
    boolean custom = kind.is(Trait.CUSTOM);
    dropNulls(object, !custom);
    ObjectNode metadata = object.withObject("/metadata");
    for (String field : new String[] {"labels", "annotations", "finalizers", "ownerReferences"}) {
      if (metadata.path(field).isContainerNode() && metadata.path(field).isEmpty()) {
        metadata.remove(field);
      }
    }
    metadata.remove("managedFields");
    if (object.path("spec") instanceof ObjectNode spec
        && kind.collection().equals(ApiKinds.NODES)
        && !spec.path("unschedulable").asBoolean()) {
      spec.remove("unschedulable");
    }
    if (custom) {
      Schema.prune(kind.schema(), object);
    }
  }

  private static void dropNulls(JsonNode node, boolean emptyLists) {
    if (node instanceof ObjectNode object) {
      List<String> absent = new ArrayList<>();
      object
          .properties()
          .forEach(each -> {
            JsonNode value = each.getValue();
            if (value.isNull() || (emptyLists && value instanceof ArrayNode && value.isEmpty())) {
              absent.add(each.getKey());
            } else {
              dropNulls(value, emptyLists);
            }
          });
      object.remove(absent);
    } else {
      node.forEach(each -> dropNulls(each, emptyLists));
    }
  }

  /** {@return whether something changed that counts as another generation} */
  static boolean isOtherSpec(ApiKind kind, ObjectNode before, ObjectNode after) {
    return !relevant(kind, before).equals(relevant(kind, after));
  }

  private static ObjectNode relevant(ApiKind kind, ObjectNode object) {
    ObjectNode relevant = object.objectNode();
    object
        .properties()
        .forEach(each -> {
          String name = each.getKey();
          if (!name.equals("metadata") && !(name.equals("status") && kind.is(Trait.STATUS))) {
            relevant.set(name, each.getValue());
          }
        });
    return relevant;
  }

  /**
   * Checks an object.
   *
   * @param before null if it is being created
   * @throws RefusedRequest if it is not valid
   */
  static void require(ApiKind kind, String name, @Nullable ObjectNode before, ObjectNode after) {
    if (before != null && ObjectFields.isDeleting(before)) {
      List<JsonNode> old = new ArrayList<>();
      before.at("/metadata/finalizers").forEach(old::add);
      for (JsonNode each : after.at("/metadata/finalizers")) {
        if (!old.contains(each)) {
          throw RefusedRequest.invalid(
              kind,
              name,
              "metadata.finalizers: Forbidden: no new finalizers can be added if the object is"
                  + " being deleted, found new finalizers []string{%s}".formatted(each));
        }
      }
    }
    if (kind.collection().equals(ApiKinds.EVENTS)) {
      requireEvent(kind, name, after);
    }
    if (kind.is(Trait.CUSTOM)) {
      List<String> mistakes = Schema.mistakes(kind.schema(), before, after);
      if (!mistakes.isEmpty()) {
        throw RefusedRequest.invalid(kind, name, String.join(", ", mistakes));
      }
    }
  }

  private static void requireEvent(ApiKind kind, String name, ObjectNode event) {
    String involved = event.at("/involvedObject/namespace").asText("");
    String namespace = ObjectFields.namespace(event);
    boolean fits = involved.isEmpty() ? namespace.equals("default") : namespace.equals(involved);
    if (!fits) {
      throw RefusedRequest.invalid(
          kind,
          name,
          "involvedObject.namespace: Invalid value: \"%s\": does not match event.namespace"
              .formatted(involved));
    }
  }
}
