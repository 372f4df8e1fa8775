package io.probelet.nodehealth.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.nodehealth.remediation.OwnerRef;
import io.probelet.nodehealth.resource.ObjectRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the objects of remediation have in common: address, labels, owners, conditions. */
public final class ObjectJson {
  private ObjectJson() {}

  /**
   * Reads an object's address.
   *
   * @param object the object
   * @return its address; parts it lacks are empty
   */
  public static ObjectRef ref(JsonNode object) {
    return new ObjectRef(
        object.path("apiVersion").asText(),
        object.path("kind").asText(),
        text(object.at("/metadata/namespace")),
        object.at("/metadata/name").asText());
  }

  static @Nullable String text(JsonNode value) {
    return value.isTextual() && !value.textValue().isEmpty() ? value.textValue() : null;
  }

  /**
   * Reads names and their texts, such as labels.
   *
   * @param object their object
   * @return the texts by name; empty if there is no such object
   */
  public static Map<String, String> texts(JsonNode object) {
    Map<String, String> texts = HashMap.newHashMap(object.size());
    object.properties().forEach(field -> texts.put(field.getKey(), field.getValue().asText()));
    return texts;
  }

  static List<OwnerRef> owners(JsonNode object) {
    List<OwnerRef> owners = new ArrayList<>();
    for (JsonNode owner : object.at("/metadata/ownerReferences")) {
      owners.add(
          new OwnerRef(
              owner.path("apiVersion").asText(),
              owner.path("kind").asText(),
              owner.path("name").asText(),
              owner.path("uid").asText()));
    }
    return owners;
  }

  /** neither a controller nor in the way of its owner's deletion. */
  static void writeOwners(ObjectNode metadata, List<OwnerRef> owners) {
    ArrayNode array = metadata.putArray("ownerReferences");
    for (OwnerRef owner : owners) {
      array
          .addObject()
          .put("apiVersion", owner.apiVersion())
          .put("kind", owner.kind())
          .put("name", owner.name())
          .put("uid", owner.uid())
          .put("controller", false);
    }
  }

  /** {@return the status of a condition, empty if the object does not have it} */
  static String condition(JsonNode object, String type) {
    for (JsonNode condition : object.at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition.path("status").asText();
      }
    }
    return "";
  }
}
