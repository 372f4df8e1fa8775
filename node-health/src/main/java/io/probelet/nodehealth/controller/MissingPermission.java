package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import org.jspecify.annotations.Nullable;

/**
 * A missing permission on a remediator's templates or remediations.
 *
 * @param namespace the namespace; null for all, or for a cluster-scoped kind
 */
record MissingPermission(Kind kind, String verb, @Nullable String namespace) {
  private static final String REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  private static final String TEMPLATE_VERBS = "get, list, watch";
  private static final String REMEDIATION_VERBS = "get, list, watch, create, patch, delete";

  /** The API server's answer about a permission. */
  enum Review {
    GRANTED,
    MISSING,
    UNKNOWN
  }

  /** {@return whether the kind is unknown without it} */
  boolean isForWatching() {
    return verb.equals("list") || verb.equals("watch");
  }

  /**
   * {@return the missing permission, and the rule that grants all required permissions on the kind}
   */
  String advice() {
    if (isOfLimits()) {
      return "the controller may not %s %s; grant what ClusterRole probelet-remediation of deploy/remediation.yaml has"
          .formatted(verb, kind.plural() + (isForStatus() ? "/status" : ""));
    }
    return "the controller may not %s %s; grant {apiGroups: [%s], resources: [%s], verbs: [%s]} in a"
            .formatted(
                verb,
                kind.plural(),
                kind.group().isEmpty() ? "\"\"" : kind.group(),
                kind.plural(),
                kind.kind().endsWith("Template") ? TEMPLATE_VERBS : REMEDIATION_VERBS)
        + " ClusterRole with the label rbac.ext-remediation/aggregate-to-ext-remediation: \"true\"";
  }

  private boolean isOfLimits() {
    return kind.name().equals(Kind.POLICY.name()) || kind.name().equals(Kind.MAINTENANCE.name());
  }

  /** Only the status of policies and Maintenances is written. */
  private boolean isForStatus() {
    return isOfLimits() && verb.equals("patch");
  }

  /** Checks whether it is still missing. */
  Review ask(ApiServer api) {
    ObjectNode review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
    ObjectNode attributes = review.putObject("spec").putObject("resourceAttributes");
    attributes.put("group", kind.group()).put("resource", kind.plural()).put("verb", verb);
    if (isForStatus()) {
      attributes.put("subresource", "status");
    }
    if (namespace != null) {
      attributes.put("namespace", namespace);
    }
    ApiResult answer = api.create(REVIEWS, review);
    JsonNode allowed = answer instanceof Done(JsonNode body) ? body.at("/status/allowed") : null;
    if (allowed == null || !allowed.isBoolean()) {
      return Review.UNKNOWN;
    }
    return allowed.booleanValue() ? Review.GRANTED : Review.MISSING;
  }
}
