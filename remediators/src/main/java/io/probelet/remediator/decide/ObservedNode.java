package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.Metadata;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import io.probelet.nodehealth.wire.RemediationJson;
import io.probelet.remediator.resource.BootId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A node as it was read for this decision.
 *
 * @param bootId what its kernel is called since it has booted; empty if the kubelet never said
 * @param unschedulable whether it takes no new pods
 * @param conditions the status of each of its conditions, by type
 */
public record ObservedNode(
    String name,
    String uid,
    String resourceVersion,
    String bootId,
    boolean unschedulable,
    Map<String, String> conditions,
    List<NodeTaint> taints,
    Map<String, String> labels,
    Map<String, String> annotations) {
  /** Copies what is in it. */
  public ObservedNode {
    conditions = Map.copyOf(conditions);
    taints = List.copyOf(taints);
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
  }

  /** {@return whether its kubelet says that it is ready} */
  public boolean isReady() {
    return "True".equals(conditions.get("Ready"));
  }

  /** ACT-44: no other word gets to a hook or its Job. */
  private static String status(String text) {
    return text.equals("True") || text.equals("False") ? text : "Unknown";
  }

  /**
   * Reads a node.
   *
   * @return what decisions need of it
   */
  public static ObservedNode read(JsonNode node) {
    Map<String, String> conditions = new HashMap<>();
    for (JsonNode condition : node.at("/status/conditions")) {
      conditions.put(condition.path("type").asText(), status(condition.path("status").asText()));
    }
    List<NodeTaint> taints = new ArrayList<>();
    for (JsonNode taint : node.at("/spec/taints")) {
      taints.add(NodeTaint.of(taint));
    }
    return new ObservedNode(
        node.at("/metadata/name").asText(),
        Metadata.uid(node),
        Metadata.version(node),
        BootId.orEmpty(node.at("/status/nodeInfo/bootID").asText()),
        node.at("/spec/unschedulable").asBoolean(),
        conditions,
        taints,
        RemediationJson.texts(node.at("/metadata/labels")),
        RemediationJson.texts(node.at("/metadata/annotations")));
  }
}
