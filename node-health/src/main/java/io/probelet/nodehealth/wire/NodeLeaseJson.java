package io.probelet.nodehealth.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.Metadata;
import io.probelet.kube.WireTime;
import io.probelet.nodehealth.remediation.NodeLease;
import io.probelet.nodehealth.remediation.NodeLease.LeaseClaim;
import io.probelet.nodehealth.remediation.OwnerRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** The leases of nodes. */
public final class NodeLeaseJson {
  /** Group and version of leases. */
  public static final String API_VERSION = "coordination.k8s.io/v1";

  private NodeLeaseJson() {}

  /**
   * Reads a lease.
   *
   * @param object the resource
   * @return the lease; one without times has long expired
   */
  public static NodeLease read(JsonNode object) {
    JsonNode spec = object.path("spec");
    return new NodeLease(
        object.at("/metadata/name").asText(),
        spec.path("holderIdentity").asText(),
        Objects.requireNonNullElse(WireTime.read(spec.path("acquireTime")), Instant.EPOCH),
        Objects.requireNonNullElse(WireTime.read(spec.path("renewTime")), Instant.EPOCH),
        Duration.ofSeconds(spec.path("leaseDurationSeconds").asLong()),
        spec.path("leaseTransitions").asInt(),
        Metadata.version(object));
  }

  /**
   * Writes a lease.
   *
   * @param claim how it is to be
   * @param namespace where
   * @param node whose, as its name is not always in the lease's
   * @return the resource
   */
  public static ObjectNode write(LeaseClaim claim, String namespace, String node) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", API_VERSION).put("kind", "Lease");
    ObjectNode metadata = object.putObject("metadata");
    metadata.put("name", claim.name()).put("namespace", namespace);
    if (claim.replaces() != null) {
      metadata.put("resourceVersion", claim.replaces());
    }
    ObjectJson.writeOwners(metadata, List.of(new OwnerRef("v1", "Node", node, claim.nodeUid())));
    object
        .putObject("spec")
        .put("holderIdentity", claim.holder())
        .put("leaseDurationSeconds", claim.duration().toSeconds())
        .put("acquireTime", WireTime.micros(claim.acquireTime()))
        .put("renewTime", WireTime.micros(claim.renewTime()))
        .put("leaseTransitions", claim.transitions());
    return object;
  }
}
