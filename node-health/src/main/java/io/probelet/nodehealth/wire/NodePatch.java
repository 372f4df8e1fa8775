package io.probelet.nodehealth.wire;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.probelet.kube.JsonChanges;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Changes single taints and annotations of a node in one request, which the API server rejects if
 * the node has changed. Taints of others survive with fields that we do not know, such as the time
 * they were added.
 */
public final class NodePatch {
  private static final String TAINTS = "/spec/taints";

  private final JsonChanges changes = new JsonChanges();
  private final List<NodeTaint> taints;
  private boolean annotated;

  /**
   * Begins with a node as it was read.
   *
   * @param resourceVersion its version
   * @param taints all of its taints, in their order
   * @param annotated whether it has any annotation
   */
  public NodePatch(String resourceVersion, List<NodeTaint> taints, boolean annotated) {
    changes.version(resourceVersion);
    this.taints = new ArrayList<>(taints);
    this.annotated = annotated;
  }

  /** Adds a taint, in place of one with its key and effect. */
  public NodePatch add(NodeTaint taint) {
    int at = index(known -> isSame(known, taint));
    if (at >= 0) {
      changes.replace(TAINTS + "/" + at, json(taint));
      taints.set(at, taint);
      return this;
    }
    if (taints.isEmpty()) { // there may be no list to add it to
      changes.add(TAINTS, JsonNodeFactory.instance.arrayNode().add(json(taint)));
    } else {
      changes.add(TAINTS + "/-", json(taint));
    }
    taints.add(taint);
    return this;
  }

  /** Removes a taint with this key, value and effect, if the node has it. */
  public NodePatch remove(NodeTaint taint) {
    int at = index(taint::equals);
    if (at >= 0) {
      changes.remove(TAINTS + "/" + at);
      taints.remove(at);
    }
    return this;
  }

  /** Sets an annotation. */
  public NodePatch annotate(String name, String value) {
    if (!annotated) {
      changes.add("/metadata/annotations", JsonNodeFactory.instance.objectNode());
      annotated = true;
    }
    changes.add(JsonChanges.annotation(name), TextNode.valueOf(value));
    return this;
  }

  /** Removes an annotation that the node has. */
  public NodePatch removeAnnotation(String name) {
    changes.remove(JsonChanges.annotation(name));
    return this;
  }

  /** {@return the JSON patch} */
  public ArrayNode json() {
    return changes.patch();
  }

  private int index(Predicate<NodeTaint> which) {
    for (int i = 0; i < taints.size(); i++) {
      if (which.test(taints.get(i))) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isSame(NodeTaint one, NodeTaint other) {
    return one.key().equals(other.key()) && one.effect().equals(other.effect());
  }

  private static ObjectNode json(NodeTaint taint) {
    ObjectNode json =
        JsonNodeFactory.instance.objectNode().put("key", taint.key()).put("effect", taint.effect());
    return taint.value().isEmpty() ? json : json.put("value", taint.value());
  }
}
