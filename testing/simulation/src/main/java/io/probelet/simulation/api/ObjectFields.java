package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.probe.PodRef;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Reads fields that objects have in common. They are read so often that parsing a JSON pointer for
 * each would show.
 */
public final class ObjectFields {
  private ObjectFields() {}

  /** {@return the name of an object} */
  public static String name(JsonNode object) {
    return metadata(object, "name");
  }

  /** {@return the namespace of an object; empty if it has none} */
  public static String namespace(JsonNode object) {
    return metadata(object, "namespace");
  }

  /** {@return the uid of an object; empty if it has none} */
  public static String uid(JsonNode object) {
    return metadata(object, "uid");
  }

  /** {@return the path of a pod} */
  public static String podPath(JsonNode pod) {
    return podPath(namespace(pod), name(pod));
  }

  /** {@return the path of a pod} */
  public static String podPath(PodRef pod) {
    return podPath(pod.namespace(), pod.name());
  }

  private static String podPath(String namespace, String name) {
    return "/api/v1/namespaces/%s/pods/%s".formatted(namespace, name);
  }

  /** {@return the kind of an object} */
  public static String kind(JsonNode object) {
    return object.path("kind").asText();
  }

  /** {@return an annotation of an object, if it has it} */
  public static Optional<String> annotation(JsonNode object, String key) {
    return Optional.ofNullable(object.path("metadata").path("annotations").get(key))
        .map(JsonNode::asText);
  }

  /** {@return a field of an object's metadata; empty if it has none} */
  static String metadata(JsonNode object, String field) {
    return object.path("metadata").path(field).asText();
  }

  /** {@return whether an object has been deleted, and is held by finalizers or a grace period} */
  public static boolean isDeleting(JsonNode object) {
    return object.path("metadata").hasNonNull("deletionTimestamp");
  }

  /** {@return the status of a condition of an object, if it has it} */
  public static Optional<String> condition(JsonNode object, String type) {
    for (JsonNode each : object.path("status").path("conditions")) {
      if (each.path("type").asText().equals(type)) {
        return Optional.of(each.path("status").asText());
      }
    }
    return Optional.empty();
  }

  /** {@return whether all containers of a pod have ended for good} */
  public static boolean isFinished(JsonNode pod) {
    String phase = pod.path("status").path("phase").asText();
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  /** {@return the elements of a list; none if it is missing} */
  public static Stream<JsonNode> items(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false);
  }
}
