package io.probelet.remediator.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.OneLine;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.JsonChanges;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import io.probelet.nodehealth.wire.NodePatch;
import io.probelet.remediator.decide.Action;
import io.probelet.remediator.decide.ObservedNode;
import io.probelet.remediator.decide.PodKey;
import io.probelet.remediator.order.NodeOrder;
import io.probelet.remediator.order.NodeOrderJson;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationProgress;
import io.probelet.remediator.resource.RemediationProgressJson;
import io.probelet.remediator.resource.RemediationRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends the request of an action once. Each request names the uid or version of the object that it
 * changes (ACT-7), so that a late request is harmless.
 */
final class ActionWrites {
  private static final Done NOTHING = new Done(MissingNode.getInstance());

  private final ApiServer api;
  private final String orderNamespace;

  /** Prepares. */
  ActionWrites(ApiServer api, String orderNamespace) {
    this.api = api;
    this.orderNamespace = orderNamespace;
  }

  /** Path of the order to a node's agent. */
  String orderPath(String node) {
    return orders() + "/" + node;
  }

  String orders() {
    return NodeOrder.collection(orderNamespace);
  }

  /** Writes the status of a remediation, unless the remediation has changed since it was read. */
  ApiResult status(RemediationRequest<?> request, RemediationProgress status) {
    ObjectNode patch = version(request.resourceVersion());
    patch.set("status", RemediationProgressJson.write(status));
    return api.patch(RequestPaths.of(request.ref()) + "/status", ApiServer.MERGE_PATCH, patch);
  }

  /**
   * Carries out an action. An object that already exists, or is already deleted, counts as done.
   */
  ApiResult carryOut(Action action, RemediationRequest<?> request) {
    return switch (action) {
      case Action.AddFinalizer() -> finalizers(request, true);
      case Action.RemoveFinalizer() -> {
        ApiResult result = finalizers(request, false);
        yield result.isNotFound() ? NOTHING : result;
      }
      case Action.Cordon(ObservedNode node) -> cordon(node, request.uid());
      case Action.Uncordon(ObservedNode node) -> cordon(node, null);
      case Action.KeepCordoned(ObservedNode node, String reason) -> keepCordoned(node, reason);
      case Action.Evict(PodKey pod, Optional<Duration> grace) -> evict(pod, grace);
      case Action.DeletePod(PodKey pod) -> {
        ObjectNode options = preconditions(pod.uid()).put("gracePeriodSeconds", 0);
        yield gone(api.delete(path(pod), options));
      }
      case Action.SetTaint(ObservedNode node, NodeTaint taint) -> taint(node, taint, true);
      case Action.RemoveTaint(ObservedNode node, NodeTaint taint) -> taint(node, taint, false);
      case Action.PutOrder(String node, JsonNode spec) -> put(node, spec, request);
      case Action.GrantOrder(String node, String uid, String version) ->
          api.patch(orderPath(node), ApiServer.MERGE_PATCH, NodeOrderJson.grant(uid, version));
      case Action.WithdrawOrder(String node, String uid) ->
          gone(api.delete(orderPath(node), preconditions(uid)));
      case Action.Annotate(
              String path,
              String uid,
              String resourceVersion,
              String annotation,
              String value) -> {
        ObjectNode patch = version(resourceVersion);
        ObjectNode metadata = patch.withObject("metadata").put("uid", uid);
        metadata.putObject("annotations").put(annotation, value);
        yield api.patch(path, ApiServer.MERGE_PATCH, patch);
      }
      case Action.RemoveAnnotation(String path, String uid, String annotation, String value) -> {
        String pointer = JsonChanges.annotation(annotation);
        yield api.patch(
            path,
            ApiServer.JSON_PATCH,
            new JsonChanges()
                .test("/metadata/uid", uid)
                .test(pointer, value)
                .remove(pointer)
                .patch());
      }
      case Action.Create(var _, String path, JsonNode body) -> there(api.create(path, body));
    };
  }

  private ApiResult finalizers(RemediationRequest<?> request, boolean with) {
    List<String> all = new ArrayList<>(request.finalizers());
    all.remove(RemediationRequest.FINALIZER);
    if (with) {
      all.add(RemediationRequest.FINALIZER);
    }
    ObjectNode patch = version(request.resourceVersion());
    ArrayNode finalizers = patch.withObject("metadata").putArray("finalizers");
    all.forEach(finalizers::add);
    return api.patch(RequestPaths.of(request.ref()), ApiServer.MERGE_PATCH, patch);
  }

  private ApiResult cordon(ObservedNode node, @Nullable String mark) {
    ObjectNode patch = version(node.resourceVersion());
    patch
        .withObject("metadata")
        .putObject("annotations")
        .put(Action.Cordon.MARK, mark)
        .putNull(Action.KeepCordoned.WHY);
    if (mark == null) {
      patch.putObject("spec").putNull("unschedulable");
    } else {
      patch.putObject("spec").put("unschedulable", true);
    }
    return api.patch(RequestPaths.node(node.name()), ApiServer.MERGE_PATCH, patch);
  }

  private ApiResult keepCordoned(ObservedNode node, String reason) {
    ObjectNode patch = version(node.resourceVersion());
    patch
        .withObject("metadata")
        .putObject("annotations")
        .putNull(Action.Cordon.MARK)
        .put(Action.KeepCordoned.WHY, OneLine.of(reason, RemediationProgress.MAX_MESSAGE));
    return api.patch(RequestPaths.node(node.name()), ApiServer.MERGE_PATCH, patch);
  }

  /** Changes one taint only. */
  private ApiResult taint(ObservedNode node, NodeTaint taint, boolean with) {
    if (!with && !node.taints().contains(taint)) {
      return NOTHING;
    }
    NodePatch patch =
        new NodePatch(node.resourceVersion(), node.taints(), !node.annotations().isEmpty());
    return api.patch(
        RequestPaths.node(node.name()),
        ApiServer.JSON_PATCH,
        (with ? patch.add(taint) : patch.remove(taint)).json());
  }

  private ApiResult evict(PodKey pod, Optional<Duration> grace) {
    ObjectNode eviction = object().put("apiVersion", "policy/v1").put("kind", "Eviction");
    eviction.putObject("metadata").put("namespace", pod.namespace()).put("name", pod.name());
    ObjectNode options = preconditions(pod.uid());
    grace.ifPresent(time -> options.put("gracePeriodSeconds", time.toSeconds()));
    eviction.set("deleteOptions", options);
    return gone(api.create(path(pod) + "/eviction", eviction));
  }

  private ApiResult put(String node, JsonNode spec, RemediationRequest<?> request) {
    ObjectNode order =
        object().put("apiVersion", RemediationKind.API_VERSION).put("kind", "NodeOrder");
    order.putObject("metadata").put("namespace", orderNamespace).put("name", node);
    ObjectNode ordered = spec.deepCopy();
    order.set("spec", ordered);
    ordered
        .putObject("remediation")
        .put("kind", request.kind().kind())
        .put("namespace", request.ref().namespace())
        .put("name", request.ref().name())
        .put("uid", request.uid());
    return api.create(orders(), order);
  }

  private static String path(PodKey pod) {
    return "/api/v1/namespaces/%s/pods/%s".formatted(pod.namespace(), pod.name());
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static ObjectNode version(String resourceVersion) {
    ObjectNode patch = object();
    patch.putObject("metadata").put("resourceVersion", resourceVersion);
    return patch;
  }

  private static ObjectNode preconditions(String uid) {
    ObjectNode options = object();
    options.putObject("preconditions").put("uid", uid);
    return options;
  }

  /** A conflict means that another object has this name, so the original one is gone. */
  private static ApiResult gone(ApiResult result) {
    return result.isNotFound() || result.isConflict() ? NOTHING : result;
  }

  private static ApiResult there(ApiResult result) {
    return result.isConflict() ? NOTHING : result;
  }
}
