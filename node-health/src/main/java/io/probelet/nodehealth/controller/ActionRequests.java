package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Refused;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiServer;
import io.probelet.kube.Metadata;
import io.probelet.nodehealth.controller.ActionRequests.ApiRequest.Method;
import io.probelet.nodehealth.controller.ActionRunner.ActionStep;
import io.probelet.nodehealth.controller.ActionRunner.ActionStep.Finished;
import io.probelet.nodehealth.controller.ActionRunner.ActionStep.Send;
import io.probelet.nodehealth.remediation.NodeLease;
import io.probelet.nodehealth.remediation.NodeLease.LeaseClaim;
import io.probelet.nodehealth.remediation.RemediationAction;
import io.probelet.nodehealth.remediation.RemediationAction.Annotate;
import io.probelet.nodehealth.remediation.RemediationAction.ClaimLease;
import io.probelet.nodehealth.remediation.RemediationAction.ClearConfirmation;
import io.probelet.nodehealth.remediation.RemediationAction.CountRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.DeleteRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.remediation.RemediationAction.ReleaseLease;
import io.probelet.nodehealth.remediation.RemediationAction.TakeApproval;
import io.probelet.nodehealth.remediation.RemediationDraft;
import io.probelet.nodehealth.remediation.RemediationDraft.OwnerRef;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.wire.PolicyJson;
import io.probelet.nodehealth.wire.RemediationJson;
import java.util.Optional;
import java.util.function.Function;

/**
 * Computes the requests of an action, each from the result of the previous one. It sends none
 * itself. A write names the expected version or identifier of the object, so that a late write is
 * harmless (N-3).
 */
final class ActionRequests {
  private final String leaseNamespace;
  private final Function<Kind.Name, Optional<Kind>> kinds;

  /**
   * Prepares.
   *
   * @param kinds finds kinds by their names; used by several threads
   */
  ActionRequests(String leaseNamespace, Function<Kind.Name, Optional<Kind>> kinds) {
    this.leaseNamespace = leaseNamespace;
    this.kinds = kinds;
  }

  /** The first step of an action that is not an event. */
  ActionStep begin(RemediationAction action) {
    return switch (action) {
      case ClaimLease(String node, LeaseClaim claim) -> claim(node, claim);
      case ReleaseLease(_, NodeLease lease) ->
          Send.last(delete(leasePath(lease.name()), "resourceVersion", lease.resourceVersion()));
      case CreateRemediation(_, RemediationDraft draft) -> create(draft);
      case DeleteRemediation(_, var remediation) ->
          at(remediation.ref(), path -> delete(path, "uid", remediation.uid()));
      case Annotate annotate ->
          at(
              annotate.remediation().ref(),
              path -> new ApiRequest(Method.MERGE_PATCH, path, annotation(annotate)));
      case ClearConfirmation clear ->
          Send.last(
              new ApiRequest(
                  Method.JSON_PATCH,
                  Kind.NODE.path(null, clear.node()),
                  removal("/metadata/annotations/", clear.annotation())));
      case CountRemediation count ->
          Send.last(
              new ApiRequest(
                  Method.MERGE_PATCH,
                  Kind.POLICY.path(null, count.policy()) + "/status",
                  PolicyJson.counted(count.entry())));
      case TakeApproval(String node, String annotated, String left) ->
          Send.last(
              new ApiRequest(
                  Method.JSON_PATCH,
                  Kind.NODE.path(null, node),
                  PolicyJson.approvalTaken(annotated, left)));
      case EmitEvent event -> throw new IllegalArgumentException("not a write: " + event);
    };
  }

  /** Reads the object of an action, to learn its current state. */
  ActionStep read(RemediationAction action) {
    return switch (action) {
      case ClaimLease(_, LeaseClaim claim) -> Send.last(ApiRequest.get(leasePath(claim.name())));
      case ReleaseLease(_, NodeLease lease) -> Send.last(ApiRequest.get(leasePath(lease.name())));
      case CreateRemediation(_, RemediationDraft draft) -> at(draft.ref(), ApiRequest::get);
      case DeleteRemediation(_, var remediation) -> at(remediation.ref(), ApiRequest::get);
      case Annotate annotate -> at(annotate.remediation().ref(), ApiRequest::get);
      case ClearConfirmation(String node) -> Send.last(ApiRequest.get(Kind.NODE.path(null, node)));
      case TakeApproval take -> Send.last(ApiRequest.get(Kind.NODE.path(null, take.node())));
      case CountRemediation count ->
          Send.last(ApiRequest.get(Kind.POLICY.path(null, count.policy())));
      case EmitEvent event -> throw new IllegalArgumentException("not a write: " + event);
    };
  }

  /** The permission that an action requires, if it concerns a remediation. */
  Optional<MissingPermission> permission(RemediationAction action) {
    return switch (action) {
      case CreateRemediation(_, RemediationDraft draft) -> permission("create", draft.ref());
      case DeleteRemediation(_, var remediation) -> permission("delete", remediation.ref());
      case Annotate annotate -> permission("patch", annotate.remediation().ref());
      case CountRemediation _ -> Optional.of(new MissingPermission(Kind.POLICY, "patch", null));
      case ClaimLease _, ReleaseLease _, ClearConfirmation _, TakeApproval _, EmitEvent _ ->
          Optional.empty();
    };
  }

  private Optional<MissingPermission> permission(String verb, ObjectRef ref) {
    return kind(ref).map(kind -> new MissingPermission(kind, verb, ref.namespace()));
  }

  private ActionStep claim(String node, LeaseClaim claim) {
    ObjectNode lease = RemediationJson.writeLease(claim, leaseNamespace, node);
    if (claim.replaces() != null) {
      return Send.last(new ApiRequest(Method.REPLACE, leasePath(claim.name()), lease));
    }
    ApiRequest create = ApiRequest.create(Kind.LEASE.collection(leaseNamespace), lease);
    return new Send(
        create, result -> result.isNotFound() ? createNamespace(create) : new Finished(result));
  }

  /** Creates the namespace of the leases if it is missing, then the lease. */
  private ActionStep createNamespace(ApiRequest lease) {
    ObjectNode namespace = JsonNodeFactory.instance.objectNode();
    namespace.put("apiVersion", "v1").put("kind", "Namespace");
    namespace.putObject("metadata").put("name", leaseNamespace);
    return new Send(
        ApiRequest.create(Kind.NAMESPACE.collection(null), namespace),
        made -> made instanceof Done || made.isConflict() ? Send.last(lease) : new Finished(made));
  }

  /** Completes the owners first: the uid of a node's machine must be read. */
  private ActionStep create(RemediationDraft draft) {
    OwnerRef unknown = draft.ownerWithoutUid().orElse(null);
    if (unknown == null) {
      return kind(draft.ref())
          .map(kind ->
              ApiRequest.create(kind.collection(draft.namespace()), RemediationJson.write(draft)))
          .<ActionStep>map(Send::last)
          .orElseGet(() -> notServed(draft.ref()));
    }
    String path =
        new Kind(unknown.apiVersion(), unknown.kind(), "machines", true)
            .path(draft.namespace(), unknown.name());
    return new Send(
        ApiRequest.get(path),
        found ->
            switch (found) {
              case Done(JsonNode machine) ->
                  create(draft.withOwnerUid(unknown, Metadata.uid(machine)));
              case Refused refused when refused.isNotFound() -> // no owner that no longer exists
                  create(draft.withOwnerUid(unknown, null));
              case Refused refused -> new Finished(new Unanswered(refused.summary()));
              case Unanswered unanswered -> new Finished(unanswered);
            });
  }

  private ActionStep at(ObjectRef ref, Function<String, ApiRequest> request) {
    return kind(ref)
        .map(kind -> request.apply(kind.path(ref.namespace(), ref.name())))
        .<ActionStep>map(Send::last)
        .orElseGet(() -> notServed(ref));
  }

  private Optional<Kind> kind(ObjectRef ref) {
    return kinds.apply(new Kind.Name(ref.apiVersion(), ref.kind()));
  }

  private String leasePath(String name) {
    return Kind.LEASE.path(leaseNamespace, name);
  }

  private static ActionStep notServed(ObjectRef ref) {
    return new Finished(new Refused(404, "kind " + ref.kind() + " is no longer known", null));
  }

  /** With the uid the API server rejects the deletion of another object of this name. */
  private static ObjectNode annotation(Annotate annotate) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = patch.putObject("metadata").put("uid", annotate.remediation().uid());
    metadata.putObject("annotations").put(annotate.annotation(), annotate.value());
    return patch;
  }

  private static ArrayNode removal(String parent, String key) {
    ArrayNode patch = JsonNodeFactory.instance.arrayNode();
    String pointer = parent + key.replace("~", "~0").replace("/", "~1");
    patch.addObject().put("op", "remove").put("path", pointer);
    return patch;
  }

  private static ApiRequest delete(String path, String precondition, String value) {
    ObjectNode options = JsonNodeFactory.instance.objectNode();
    options.put("apiVersion", "v1").put("kind", "DeleteOptions");
    options.put("propagationPolicy", "Background");
    options.putObject("preconditions").put(precondition, value);
    return new ApiRequest(Method.DELETE, path, options);
  }

  /**
   * A request to the API server, as a value.
   *
   * @param path path of the object, or of the collection to create in
   * @param body the request's body; missing for a request that only reads
   */
  record ApiRequest(Method method, String path, JsonNode body) {
    /** What to do. */
    enum Method {
      GET,
      CREATE,
      REPLACE,
      MERGE_PATCH,
      JSON_PATCH,
      DELETE
    }

    static ApiRequest get(String path) {
      return new ApiRequest(Method.GET, path, MissingNode.getInstance());
    }

    static ApiRequest create(String collection, JsonNode object) {
      return new ApiRequest(Method.CREATE, collection, object);
    }

    /** Sends it once, and waits for its result. */
    ApiResult send(ApiServer api) {
      return switch (method) {
        case GET -> api.get(path);
        case CREATE -> api.create(path, body);
        case REPLACE -> api.replace(path, body);
        case MERGE_PATCH -> api.patch(path, ApiServer.MERGE_PATCH, body);
        case JSON_PATCH -> api.patch(path, ApiServer.JSON_PATCH, body);
        case DELETE -> api.delete(path, body);
      };
    }
  }
}
