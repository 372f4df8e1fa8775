package io.probelet.monitor.publish;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which conditions of a Node are ours, as an annotation on it says (B-6).
 *
 * @param types their types, sorted
 */
public record Ownership(String bootId, Set<String> types) {
  /** The annotation that says so. */
  public static final String ANNOTATION = "probelet.io/node-conditions";

  /** What the kubelet says about the Node; taking it over would break the cluster. */
  static final Set<String> OF_THE_KUBELET =
      Set.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable");

  /** Nothing is ours. */
  static final Ownership NONE = new Ownership("", Set.of());

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Sorts the types. */
  public Ownership {
    types = new TreeSet<>(types);
  }

  static Ownership of(String bootId, Collection<String> types) {
    return new Ownership(bootId, new TreeSet<>(types));
  }

  /**
   * Reads it off a Node. What cannot be read owns nothing: better to leave a condition than to take
   * another's.
   *
   * @param node the Node, or any object with its metadata
   * @return what is ours, never a condition of the kubelet's
   */
  public static Ownership of(JsonNode node) {
    Set<String> types = new TreeSet<>();
    try {
      JsonNode claim = node.path("metadata").path("annotations").path(ANNOTATION);
      JsonNode root = JSON.readTree(claim.isTextual() ? claim.textValue() : "{}");
      root.path("types").forEach(type -> types.add(type.asText()));
      types.removeAll(OF_THE_KUBELET);
      return new Ownership(root.path("boot").asText(), types);
    } catch (JsonProcessingException malformed) {
      return NONE;
    }
  }

  /** Whether a Node has the annotation, readable or not. */
  static boolean isOn(JsonNode node) {
    return node.path("metadata").path("annotations").has(ANNOTATION);
  }

  /** Adds it to the metadata of a merge patch; without types that takes the annotation away. */
  void addTo(ObjectNode metadata) {
    ObjectNode annotations = metadata.withObject("annotations");
    if (types.isEmpty()) {
      annotations.putNull(ANNOTATION);
    } else {
      ObjectNode value = JSON.createObjectNode().put("boot", bootId);
      types.forEach(value.putArray("types")::add);
      annotations.put(ANNOTATION, value.toString());
    }
  }
}
