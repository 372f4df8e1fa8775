package io.probelet.monitor.publish;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.object.KeptFields;
import io.probelet.monitor.rule.TaintSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Taints of a Node: its agent notes which it wants, the leader which it has set (B-11). A label
 * lets the leader find such nodes among many.
 */
public final class NodeTaints {
  /** The label of a Node that wants a taint, or has one from us. */
  public static final String LABEL = "probelet.io/node-taints";

  /** What its agent wants, as JSON. */
  static final String WANTED = "probelet.io/node-taints";

  /** What the leader has set, with commas. */
  static final String SET = "probelet.io/node-taints-set";

  /** What is read of a Node here. */
  public static final KeptFields FIELDS =
      KeptFields.of(
          "/metadata/annotations/probelet.io~1node-taints",
          "/metadata/annotations/probelet.io~1node-taints-set",
          "/spec/taints");

  private static final ObjectMapper JSON = new ObjectMapper();

  private NodeTaints() {}

  /** {@return what a Node's agent wants; what cannot be read is not wanted} */
  public static List<TaintSpec> wanted(JsonNode node) {
    List<TaintSpec> wanted = new ArrayList<>();
    try {
      String text = annotations(node).path(WANTED).asText();
      for (JsonNode one : JSON.readTree(text.isEmpty() ? "[]" : text)) {
        wanted.add(
            TaintSpec.parse(one.path("taint").asText(), one.path("maxNodesPercent").asInt()));
      }
      return List.copyOf(wanted);
    } catch (JsonProcessingException | IllegalArgumentException forged) {
      return List.of();
    }
  }

  /** {@return the taints a Node has from us, as {@code key:effect}} */
  public static Set<String> ours(JsonNode node) {
    Set<String> noted = noted(node);
    Set<String> ours = new TreeSet<>();
    for (JsonNode taint : node.at("/spec/taints")) {
      if (noted.contains(text(taint))) {
        ours.add(text(taint));
      }
    }
    return ours;
  }

  /** {@return the keys of the taints a Node has from others} */
  public static Set<String> theirs(JsonNode node) {
    Set<String> noted = noted(node);
    Set<String> theirs = new HashSet<>();
    for (JsonNode taint : node.at("/spec/taints")) {
      if (!noted.contains(text(taint))) {
        theirs.add(taint.path("key").asText());
      }
    }
    return theirs;
  }

  private static Set<String> noted(JsonNode node) {
    Set<String> noted = new HashSet<>();
    for (String taint : annotations(node).path(SET).asText().split(",", -1)) {
      if (taint.startsWith(TaintSpec.PREFIX)) { // nobody else's, whatever the annotation says
        noted.add(taint);
      }
    }
    return noted;
  }

  private static JsonNode annotations(JsonNode node) {
    return node.path("metadata").path("annotations");
  }

  private static String text(JsonNode taint) {
    return taint.path("key").asText() + ":" + taint.path("effect").asText();
  }

  /**
   * Makes the merge patch that gives a Node these taints of ours and leaves all others, refused if
   * the Node has changed meanwhile.
   *
   * @param taints as {@code key:effect}
   */
  public static ObjectNode change(JsonNode node, Set<String> taints) {
    ObjectNode patch = JSON.createObjectNode();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.put("resourceVersion", node.at("/metadata/resourceVersion").asText());
    ObjectNode annotations = metadata.putObject("annotations");
    if (taints.isEmpty()) {
      annotations.putNull(SET);
    } else {
      annotations.put(SET, String.join(",", new TreeSet<>(taints)));
    }
    if (taints.isEmpty() && wanted(node).isEmpty()) {
      annotations.putNull(WANTED);
      metadata.putObject("labels").putNull(LABEL);
    }
    ArrayNode all = patch.putObject("spec").putArray("taints");
    Set<String> noted = noted(node);
    Set<String> missing = new TreeSet<>(taints);
    for (JsonNode taint : node.at("/spec/taints")) {
      if (!noted.contains(text(taint)) || taints.contains(text(taint))) {
        all.add(taint);
        missing.remove(text(taint));
      }
    }
    for (String taint : missing) {
      int colon = taint.lastIndexOf(':');
      all.addObject()
          .put("key", taint.substring(0, colon))
          .put("effect", taint.substring(colon + 1));
    }
    return patch;
  }

  /** Whether there is anything to take off a Node. */
  static boolean areOn(JsonNode node) {
    return node.path("metadata").path("labels").has(LABEL)
        || annotations(node).has(WANTED)
        || annotations(node).has(SET);
  }

  /** Makes the merge patch that takes all of it off. */
  static ObjectNode removal(JsonNode node) {
    ObjectNode patch = change(node, Set.of());
    patch.withObject("metadata").withObject("annotations").putNull(WANTED);
    patch.withObject("metadata").withObject("labels").putNull(LABEL);
    return patch;
  }

  /** Adds to the metadata of a strategic merge patch what the agent wants. */
  static void want(Collection<TaintSpec> wanted, ObjectNode metadata) {
    ObjectNode annotations = metadata.withObject("annotations");
    if (wanted.isEmpty()) {
      annotations.putNull(WANTED); // the leader takes the label off, once the taint is gone
      return;
    }
    ArrayNode list = JSON.createArrayNode();
    wanted.forEach(taint ->
        list.addObject()
            .put("taint", taint.toString())
            .put("maxNodesPercent", taint.maxNodesPercent()));
    annotations.put(WANTED, list.toString());
    metadata.withObject("labels").put(LABEL, "");
  }
}
