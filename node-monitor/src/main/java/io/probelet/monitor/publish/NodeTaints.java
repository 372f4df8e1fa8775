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
 * Taints of a Node: its agent records the wanted ones, the leader those it has set (B-11). A label
 * lets the leader find such nodes.
 */
public final class NodeTaints {
  /** The label of a Node that wants a taint, or has one from us. */
  public static final String LABEL = "probelet.io/node-taints";

  /** The taints its agent wants, as JSON. */
  static final String WANTED = "probelet.io/node-taints";

  /** The taints the leader has set, separated by commas. */
  static final String SET = "probelet.io/node-taints-set";

  /** The fields read from a Node. */
  public static final KeptFields FIELDS =
      KeptFields.of(
          "/metadata/annotations/probelet.io~1node-taints",
          "/metadata/annotations/probelet.io~1node-taints-set",
          "/spec/taints");

  private static final ObjectMapper JSON = new ObjectMapper();

  private NodeTaints() {}

  /** {@return the taints that a Node's agent wants; unreadable ones are ignored} */
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
      if (taint.startsWith(
          TaintSpec.PREFIX)) { // never another's taint, whatever the annotation says
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
   * Creates the merge patch that replaces our taints and keeps all others; the API server rejects
   * it if the Node has changed in the meantime.
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

  /** Whether a Node has anything to remove. */
  static boolean areOn(JsonNode node) {
    return node.path("metadata").path("labels").has(LABEL)
        || annotations(node).has(WANTED)
        || annotations(node).has(SET);
  }

  /** Creates the merge patch that removes all of it. */
  static ObjectNode removal(JsonNode node) {
    ObjectNode patch = change(node, Set.of());
    patch.withObject("metadata").withObject("annotations").putNull(WANTED);
    patch.withObject("metadata").withObject("labels").putNull(LABEL);
    return patch;
  }

  /** Adds the wanted taints to the metadata of a strategic merge patch. */
  static void want(Collection<TaintSpec> wanted, ObjectNode metadata) {
    ObjectNode annotations = metadata.withObject("annotations");
    if (wanted.isEmpty()) {
      annotations.putNull(WANTED); // the leader removes the label after the taint
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
