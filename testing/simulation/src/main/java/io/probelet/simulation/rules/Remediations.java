package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Reads remediations and nodes the way the rules need them. */
final class Remediations {
  private static final String NODE_NAME = "remediation.medik8s.io/node-name";
  private static final String TIMED_OUT = "remediation.medik8s.io/nhc-timed-out";

  private Remediations() {}

  /** The NodeHealthCheck that owns a remediation; nothing for any other object. */
  static Optional<String> owner(JsonNode object) {
    if (!object.path("metadata").path("annotations").has(NODE_NAME)) {
      return Optional.empty();
    }
    return items(object.at("/metadata/ownerReferences"))
        .filter(owner -> owner.path("kind").asText().equals("NodeHealthCheck"))
        .map(owner -> owner.path("name").asText())
        .findFirst();
  }

  /** The node that a remediation is for. */
  static String node(JsonNode remediation) {
    return remediation.path("metadata").path("annotations").path(NODE_NAME).asText();
  }

  /** All remediations that exist. */
  static Stream<JsonNode> all(Facts facts) {
    return facts.objects().values().stream().filter(each -> owner(each).isPresent());
  }

  /** Whether a remediation may still act: it has not timed out, ended, or been deleted. */
  static boolean inForce(JsonNode remediation) {
    return !remediation.path("metadata").path("annotations").has(TIMED_OUT)
        && !remediation.path("metadata").has("deletionTimestamp")
        && condition(remediation, "Succeeded")
            .filter(status -> !status.equals("Unknown"))
            .isEmpty();
  }

  /** The status of a condition. */
  static Optional<String> condition(JsonNode object, String type) {
    return items(object.at("/status/conditions"))
        .filter(each -> each.path("type").asText().equals(type))
        .map(each -> each.path("status").asText())
        .findFirst();
  }

  static Stream<JsonNode> items(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  static String name(JsonNode object) {
    return object.at("/metadata/name").asText();
  }
}
