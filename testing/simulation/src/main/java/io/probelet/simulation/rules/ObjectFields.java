package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Reads fields that objects of many kinds have. */
public final class ObjectFields {
  private ObjectFields() {}

  /** {@return the name of an object} */
  public static String name(JsonNode object) {
    return object.at("/metadata/name").asText();
  }

  /** {@return the uid of an object} */
  public static String uid(JsonNode object) {
    return object.at("/metadata/uid").asText();
  }

  /** {@return the kind of an object} */
  public static String kind(JsonNode object) {
    return object.path("kind").asText();
  }

  /** {@return an annotation of an object, if it has it} */
  public static Optional<String> annotation(JsonNode object, String key) {
    return Optional.ofNullable(object.at("/metadata/annotations").get(key)).map(JsonNode::asText);
  }

  /** {@return the status of a condition of an object, if it has it} */
  public static Optional<String> condition(JsonNode object, String type) {
    return items(object.at("/status/conditions"))
        .filter(each -> each.path("type").asText().equals(type))
        .map(each -> each.path("status").asText())
        .findFirst();
  }

  /** {@return whether an object was deleted and still exists} */
  static boolean isDeleting(JsonNode object) {
    return object.path("metadata").has("deletionTimestamp");
  }

  /** {@return the elements of a list; none if it is missing} */
  static Stream<JsonNode> items(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }
}
