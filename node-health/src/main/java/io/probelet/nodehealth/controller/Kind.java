package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.ApiPath;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.ObjectFormat;
import io.probelet.nodehealth.maintenance.Maintenance;
import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.wire.PolicyJson;
import io.probelet.nodehealth.wire.RemediationJson;
import org.jspecify.annotations.Nullable;

/**
 * A kind of resource that the API server serves.
 *
 * @param namespaced whether its objects are namespaced
 */
record Kind(String apiVersion, String kind, String plural, boolean namespaced) {
  static final Kind CHECK =
      new Kind(NodeHealthCheck.API_VERSION, NodeHealthCheck.KIND, "nodehealthchecks", false);
  static final Kind LEASE = new Kind(RemediationJson.LEASE_API_VERSION, "Lease", "leases", true);
  static final Kind NODE = new Kind("v1", "Node", "nodes", false);
  static final Kind POLICY =
      new Kind(
          RemediationPolicy.API_VERSION, RemediationPolicy.KIND, RemediationPolicy.PLURAL, false);
  static final Kind MAINTENANCE =
      new Kind(Maintenance.API_VERSION, Maintenance.KIND, Maintenance.PLURAL, false);
  static final Kind EVENT = new Kind("v1", "Event", "events", true);
  static final Kind NAMESPACE = new Kind("v1", "Namespace", "namespaces", false);

  /** A kind that has not been discovered yet. */
  record Name(String apiVersion, String kind) {
    /**
     * Same value as the generated one, but this is a key that is looked up for every event: see
     * NodeFacts.
     */
    @Override
    public boolean equals(@Nullable Object other) {
      return this == other
          || (other instanceof Name that
              && kind.equals(that.kind)
              && apiVersion.equals(that.apiVersion));
    }

    @Override
    public int hashCode() {
      return 31 * apiVersion.hashCode() + kind.hashCode();
    }
  }

  Name name() {
    return new Name(apiVersion, kind);
  }

  /** Returns whether an object is of this kind. */
  boolean isOf(JsonNode object) {
    return object.path("kind").asText().equals(kind)
        && object.path("apiVersion").asText().equals(apiVersion);
  }

  /**
   * Limits the size of objects. NodeHealthChecks and policies belong to administrators, and their
   * status lists nodes. Only the spec of a lease is kept, because anyone who writes it may annotate
   * it. Only spec and status of a Maintenance are kept: its CRD bounds them below the limit, so
   * that none is too large to read.
   */
  Format<JsonNode> format() {
    KeptFields fields = KeptFields.ALL;
    ObjectLimits limits = ObjectLimits.USUAL;
    if (equals(LEASE)) {
      fields = KeptFields.of("/spec");
    } else if (equals(MAINTENANCE)) {
      fields = KeptFields.of("/spec", "/status");
      limits = ObjectLimits.LARGE;
    } else if (equals(CHECK) || equals(POLICY)) {
      limits = ObjectLimits.LARGE;
    }
    return new ObjectFormat<>(
        apiVersion,
        kind,
        fields,
        limits,
        object -> equals(POLICY) ? PolicyJson.packed(object) : object);
  }

  /** The path of its objects, in a namespace if they are namespaced. */
  String collection(@Nullable String namespace) {
    return ApiPath.root(apiVersion)
        + (namespaced && namespace != null ? "/namespaces/" + ApiPath.encoded(namespace) : "")
        + "/"
        + plural;
  }

  String path(@Nullable String namespace, String name) {
    return collection(namespace) + "/" + ApiPath.encoded(name);
  }

  String group() {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }
}
