package io.probelet.nodehealth.monitor.publish;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which conditions of a Node are ours, as an annotation on it says (B-6).
 *
 * @param bootId the boot in which they were published
 * @param types their types, sorted
 */
record Ownership(String bootId, Set<String> types) {
  static final String ANNOTATION = "probelet.io/node-conditions";
  private static final ObjectMapper JSON = new ObjectMapper();

  Ownership {
    types = new TreeSet<>(types);
  }

  static Ownership of(String bootId, Collection<String> types) {
    return new Ownership(bootId, new TreeSet<>(types));
  }

  /** What cannot be read owns nothing: better to leave a condition than to take another's. */
  static Ownership read(@Nullable String annotation) {
    Set<String> types = new TreeSet<>();
    try {
      JsonNode root = JSON.readTree(annotation == null ? "{}" : annotation);
      root.path("types").forEach(type -> types.add(type.asText()));
      return new Ownership(root.path("boot").asText(), types);
    } catch (JsonProcessingException malformed) {
      return new Ownership("", Set.of());
    }
  }

  /** The strategic merge patch that writes it down; without types it takes the annotation away. */
  String patch() {
    ObjectNode root = JSON.createObjectNode();
    ObjectNode annotations = root.putObject("metadata").putObject("annotations");
    if (types.isEmpty()) {
      annotations.putNull(ANNOTATION);
    } else {
      ObjectNode value = JSON.createObjectNode().put("boot", bootId);
      types.forEach(value.putArray("types")::add);
      annotations.put(ANNOTATION, value.toString());
    }
    return root.toString();
  }
}
