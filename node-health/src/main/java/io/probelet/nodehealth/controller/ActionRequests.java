package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiServer;
import io.probelet.kube.Metadata;
import io.probelet.nodehealth.remediation.LeaseClaim;
import io.probelet.nodehealth.remediation.NodeLease;
import io.probelet.nodehealth.remediation.OwnerRef;
import io.probelet.nodehealth.remediation.RemediationAction;
import io.probelet.nodehealth.remediation.RemediationAction.Annotate;
import io.probelet.nodehealth.remediation.RemediationAction.ClaimLease;
import io.probelet.nodehealth.remediation.RemediationAction.ClearConfirmation;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.DeleteRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.remediation.RemediationAction.ReleaseLease;
import io.probelet.nodehealth.remediation.RemediationDraft;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import io.probelet.nodehealth.wire.NodeLeaseJson;
import io.probelet.nodehealth.wire.RemediationJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Makes each action one write to the API server. A write names what it expects, an object's version
 * or identifier, so that one that comes late does no harm (N-3).
 */
final class ActionRequests {
  private final ApiServer api;
  private final String leaseNamespace;
  private final Function<Kind.Name, Optional<Kind>> kinds;

  /**
   * Prepares.
   *
   * @param kinds finds kinds by their names; asked by several threads
   */
  ActionRequests(ApiServer api, String leaseNamespace, Function<Kind.Name, Optional<Kind>> kinds) {
    this.api = api;
    this.leaseNamespace = leaseNamespace;
    this.kinds = kinds;
  }

  /** Carries an action out; not for events. */
  ApiResult send(RemediationAction action) {
    return switch (action) {
      case ClaimLease(String node, LeaseClaim claim) -> claim(node, claim);
      case ReleaseLease(_, NodeLease lease) ->
          api.delete(
              Kind.LEASE.path(leaseNamespace, lease.name()),
              preconditions("resourceVersion", lease.resourceVersion()));
      case CreateRemediation(_, RemediationDraft draft) -> create(draft);
      case DeleteRemediation(_, var remediation) ->
          at(remediation.ref(), path -> api.delete(path, preconditions("uid", remediation.uid())));
      case Annotate annotate -> annotate(annotate);
      case ClearConfirmation(String node) ->
          api.patch(
              Kind.NODE.path(null, node),
              ApiServer.JSON_PATCH,
              removal("/metadata/annotations/", WireNames.CONFIRMED_HEALTHY));
      case EmitEvent event -> throw new IllegalArgumentException("not a write: " + event);
    };
  }

  /** Reads the object that an action is about, to learn what became of it. */
  ApiResult read(RemediationAction action) {
    return switch (action) {
      case ClaimLease(_, LeaseClaim claim) ->
          api.get(Kind.LEASE.path(leaseNamespace, claim.name()));
      case ReleaseLease(_, NodeLease lease) ->
          api.get(Kind.LEASE.path(leaseNamespace, lease.name()));
      case CreateRemediation(_, RemediationDraft draft) -> at(draft.ref(), api::get);
      case DeleteRemediation(_, var remediation) -> at(remediation.ref(), api::get);
      case Annotate annotate -> at(annotate.remediation().ref(), api::get);
      case ClearConfirmation(String node) -> api.get(Kind.NODE.path(null, node));
      case EmitEvent event -> throw new IllegalArgumentException("not a write: " + event);
    };
  }

  /** The right that an action takes, if it is about a remediation. */
  Optional<MissingRight> right(RemediationAction action) {
    return switch (action) {
      case CreateRemediation(_, RemediationDraft draft) -> right("create", draft.ref());
      case DeleteRemediation(_, var remediation) -> right("delete", remediation.ref());
      case Annotate annotate -> right("patch", annotate.remediation().ref());
      case ClaimLease _, ReleaseLease _, ClearConfirmation _, EmitEvent _ -> Optional.empty();
    };
  }

  private Optional<MissingRight> right(String verb, ObjectRef ref) {
    return kind(ref).map(kind -> new MissingRight(kind, verb, ref.namespace()));
  }

  private ApiResult claim(String node, LeaseClaim claim) {
    ObjectNode lease = NodeLeaseJson.write(claim, leaseNamespace, node);
    if (claim.replaces() != null) {
      return api.replace(Kind.LEASE.path(leaseNamespace, claim.name()), lease);
    }
    ApiResult created = api.create(Kind.LEASE.collection(leaseNamespace), lease);
    if (created.isNotFound()) { // the namespace is created if missing
      ObjectNode namespace = JsonNodeFactory.instance.objectNode();
      namespace.put("apiVersion", "v1").put("kind", "Namespace");
      namespace.putObject("metadata").put("name", leaseNamespace);
      ApiResult made = api.create(Kind.NAMESPACE.collection(null), namespace);
      if (made instanceof Done || made.isConflict()) {
        return api.create(Kind.LEASE.collection(leaseNamespace), lease);
      }
    }
    return created;
  }

  private ApiResult create(RemediationDraft draft) {
    List<OwnerRef> owners = new ArrayList<>();
    for (OwnerRef owner : draft.owners()) {
      if (!owner.uid().isEmpty()) {
        owners.add(owner);
        continue;
      }
      ObjectRef ref =
          new ObjectRef(owner.apiVersion(), owner.kind(), draft.namespace(), owner.name());
      ApiResult found = machine(ref);
      if (found instanceof Done(JsonNode machine)) {
        owners.add(
            new OwnerRef(owner.apiVersion(), owner.kind(), owner.name(), Metadata.uid(machine)));
      } else if (!found.isNotFound()) {
        return found instanceof Unanswered ? found : new Unanswered(found.summary());
      }
    }
    ObjectNode object =
        RemediationJson.write(
            new RemediationDraft(
                draft.apiVersion(),
                draft.kind(),
                draft.namespace(),
                draft.name(),
                draft.generateName(),
                draft.labels(),
                draft.annotations(),
                owners,
                draft.spec()));
    return kind(draft.ref())
        .map(kind -> api.create(kind.collection(draft.namespace()), object))
        .orElseGet(() -> unknown(draft.ref()));
  }

  private ApiResult machine(ObjectRef ref) {
    return api.get(
        new Kind(ref.apiVersion(), ref.kind(), "machines", true).path(ref.namespace(), ref.name()));
  }

  private ApiResult annotate(Annotate annotate) {
    JsonNode patch =
        annotation(annotate.remediation().uid(), annotate.annotation(), annotate.value());
    return at(annotate.remediation().ref(), path -> api.patch(path, ApiServer.MERGE_PATCH, patch));
  }

  private ApiResult at(ObjectRef ref, Function<String, ApiResult> request) {
    return kind(ref)
        .map(kind -> request.apply(kind.path(ref.namespace(), ref.name())))
        .orElseGet(() -> unknown(ref));
  }

  private Optional<Kind> kind(ObjectRef ref) {
    return kinds.apply(new Kind.Name(ref.apiVersion(), ref.kind()));
  }

  private static ApiResult unknown(ObjectRef ref) {
    return new ApiResult.Refused(404, "kind " + ref.kind() + " is not known any more", null);
  }

  /** Naming the uid makes the API server refuse it for any other object of this name. */
  private static ObjectNode annotation(String uid, String key, String value) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = patch.putObject("metadata").put("uid", uid);
    metadata.putObject("annotations").put(key, value);
    return patch;
  }

  private static ArrayNode removal(String parent, String key) {
    ArrayNode patch = JsonNodeFactory.instance.arrayNode();
    String pointer = parent + key.replace("~", "~0").replace("/", "~1");
    patch.addObject().put("op", "remove").put("path", pointer);
    return patch;
  }

  private static ObjectNode preconditions(String field, String value) {
    ObjectNode options = JsonNodeFactory.instance.objectNode();
    options.put("apiVersion", "v1").put("kind", "DeleteOptions");
    options.put("propagationPolicy", "Background");
    options.putObject("preconditions").put(field, value);
    return options;
  }
}
