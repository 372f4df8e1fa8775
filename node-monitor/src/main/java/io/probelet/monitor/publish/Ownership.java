package io.probelet.monitor.publish;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.monitor.rule.ConditionSpec;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/**
 * The conditions of a Node that are ours, as listed in an annotation (B-6).
 *
 * @param types their types, sorted
 */
public record Ownership(String bootId, Set<String> types) {
  /** The annotation that lists them. */
  public static final String ANNOTATION = "probelet.io/node-conditions";

  /** No condition is ours. */
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
   * Reads the annotation of a Node. An unreadable annotation owns nothing: leaving a condition is
   * safer than removing another's.
   *
   * @param node the Node, or any object with its metadata
   * @return our conditions, never one of the kubelet's
   */
  public static Ownership of(JsonNode node) {
    Set<String> types = new TreeSet<>();
    try {
      JsonNode claim = node.path("metadata").path("annotations").path(ANNOTATION);
      JsonNode root = JSON.readTree(claim.isTextual() ? claim.textValue() : "{}");
      root.path("types").forEach(type -> types.add(type.asText()));
      types.removeIf(ConditionSpec::isKubelets);
      return new Ownership(root.path("boot").asText(), types);
    } catch (JsonProcessingException malformed) {
      return NONE;
    }
  }

  /** Whether a Node has the annotation, readable or not. */
  static boolean isOn(JsonNode node) {
    return node.path("metadata").path("annotations").has(ANNOTATION);
  }

  /** Adds it to the metadata of a merge patch; without types the annotation is removed. */
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
