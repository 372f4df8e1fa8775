package io.probelet.nodehealth.readiness.controller;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiPath;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiServer;
import io.probelet.kube.object.KeptFields;
import io.probelet.nodehealth.controller.ObjectPatches;
import io.probelet.nodehealth.readiness.NodeDecision;
import io.probelet.nodehealth.readiness.NodeDecision.Change;
import io.probelet.nodehealth.readiness.NodeReadinessRule;
import io.probelet.nodehealth.readiness.ReadinessNode;
import io.probelet.nodehealth.wire.NodePatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Sends writes beside the loop. Each names the version that it is decided from, so that the API
 * server rejects it after any other write, also one of the next leader (NRR-2).
 */
final class ReadinessRequests {
  static final String NODES = "/api/v1/nodes";

  static final String RULES =
      ApiPath.root(NodeReadinessRule.API_VERSION) + "/" + NodeReadinessRule.PLURAL;

  /** The parts of a node that are read; images are most of the rest. */
  static final KeptFields NODE_FIELDS =
      KeptFields.of(
          "/metadata/labels",
          "/metadata/annotations",
          "/spec/taints",
          "/status/conditions/type",
          "/status/conditions/status");

  /** A rule without its status, which lists nodes. */
  static final KeptFields RULE_FIELDS =
      KeptFields.of(
          "/metadata/generation", "/metadata/deletionTimestamp", "/metadata/finalizers", "/spec");

  private final ObjectPatches patches;

  ReadinessRequests(ObjectPatches patches) {
    this.patches = patches;
  }

  /**
   * Writes a decision to its node.
   *
   * @param version the version of the node that was decided about
   * @param answered receives, on the loop, the response and the node as it is now
   */
  void node(
      ReadinessNode node,
      String version,
      NodeDecision decision,
      BiConsumer<ApiResult, ApiResult> answered) {
    String path = NODES + "/" + ApiPath.encoded(node.name());
    patches.send(
        path, "", ApiServer.JSON_PATCH, patch(node, version, decision), NODE_FIELDS, answered);
  }

  static ArrayNode patch(ReadinessNode node, String version, NodeDecision decision) {
    NodePatch patch = new NodePatch(version, node.taints(), node.annotated());
    for (Change change : decision.changes()) {
      if (change.adds()) {
        patch.add(change.taint());
      } else {
        patch.remove(change.taint());
      }
    }
    decision.completions().forEach(patch::annotate);
    if (decision.marksChanged() && !decision.marks().isEmpty()) {
      patch.annotate(ReadinessNode.MARKS, decision.marksText());
    } else if (decision.marksChanged()) {
      patch.removeAnnotation(ReadinessNode.MARKS);
    }
    return patch.json();
  }

  /** Adds or removes our finalizer of a rule. */
  void finalizer(NodeReadinessRule rule, boolean with, BiConsumer<ApiResult, ApiResult> answered) {
    List<String> finalizers = new ArrayList<>(rule.finalizers());
    finalizers.remove(NodeReadinessRule.FINALIZER);
    if (with) {
      finalizers.add(NodeReadinessRule.FINALIZER);
    }
    ObjectNode patch = version(rule);
    ArrayNode list = patch.withObject("metadata").putArray("finalizers");
    finalizers.forEach(list::add);
    patches.send(path(rule), "", ApiServer.MERGE_PATCH, patch, RULE_FIELDS, answered);
  }

  /** Writes the status of a rule. */
  void status(
      NodeReadinessRule rule, ObjectNode status, BiConsumer<ApiResult, ApiResult> answered) {
    ObjectNode patch = version(rule);
    patch.set("status", status);
    patches.send(path(rule), "/status", ApiServer.MERGE_PATCH, patch, RULE_FIELDS, answered);
  }

  private static String path(NodeReadinessRule rule) {
    return RULES + "/" + ApiPath.encoded(rule.name());
  }

  private static ObjectNode version(NodeReadinessRule rule) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("resourceVersion", rule.resourceVersion());
    return patch;
  }
}
