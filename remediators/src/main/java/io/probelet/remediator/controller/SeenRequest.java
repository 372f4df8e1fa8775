package io.probelet.remediator.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.Metadata;
import io.probelet.kube.WireTime;
import io.probelet.kube.object.KeptFields;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import io.probelet.nodehealth.wire.RemediationJson;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationProgress;
import io.probelet.remediator.resource.RemediationProgressJson;
import io.probelet.remediator.resource.RemediationRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What is kept of a remediation between its turns.
 *
 * @param deleting whether its deletion was asked for
 */
record SeenRequest(
    RemediationKind kind,
    ObjectRef ref,
    String uid,
    String version,
    Instant created,
    String node,
    RemediationProgress status,
    boolean deleting,
    List<String> finalizers,
    Map<String, String> annotations) {
  /** What {@link #read} needs; the spec is read for a turn. */
  static final KeptFields FIELDS = KeptFields.of("/metadata", "/status");

  /** Reads one, whatever its spec says. */
  static SeenRequest read(RemediationKind kind, JsonNode object) {
    JsonNode metadata = object.path("metadata");
    String name = metadata.path("name").asText();
    Map<String, String> annotations = RemediationJson.texts(metadata.path("annotations"));
    List<String> finalizers = new ArrayList<>();
    metadata.path("finalizers").forEach(each -> finalizers.add(each.asText()));
    return new SeenRequest(
        kind,
        new ObjectRef(
            RemediationKind.API_VERSION, kind.kind(), metadata.path("namespace").asText(), name),
        Metadata.uid(object),
        Metadata.version(object),
        Objects.requireNonNullElse(
            WireTime.read(metadata.path("creationTimestamp")), Instant.EPOCH),
        annotations.getOrDefault(WireNames.NODE_NAME, name),
        RemediationProgressJson.read(object.path("status")),
        metadata.hasNonNull("deletionTimestamp"),
        finalizers,
        Map.copyOf(annotations));
  }

  /** The same with what is asked for. */
  <S> RemediationRequest<S> with(S spec) {
    return new RemediationRequest<>(
        kind, ref, uid, version, created, node, spec, status, deleting, finalizers, annotations);
  }

  /** Whether it may have changed something on its node that is not undone or over yet. */
  boolean isInForce() {
    return status.phase().isInForce()
        || (deleting && finalizers.contains(RemediationRequest.FINALIZER));
  }

  /** Whether it waits for its turn. */
  boolean isWaiting() {
    return !deleting && !status.phase().isTerminal() && !status.phase().isInForce();
  }

  /** Whether what the other says of the same object is older; of foreign versions it is not. */
  boolean isNewerThan(SeenRequest other) {
    return uid.equals(other.uid) && Metadata.isOlder(other.version, version);
  }
}
