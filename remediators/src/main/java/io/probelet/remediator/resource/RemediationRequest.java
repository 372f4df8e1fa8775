package io.probelet.remediator.resource;

import io.probelet.nodehealth.resource.ObjectRef;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A remediation as it is in the cluster.
 *
 * @param deleting whether its deletion was asked for: its node is healthy, or it is given up
 */
public record RemediationRequest<S>(
    RemediationKind kind,
    ObjectRef ref,
    String uid,
    String resourceVersion,
    Instant created,
    String node,
    S spec,
    RemediationProgress status,
    boolean deleting,
    List<String> finalizers,
    Map<String, String> annotations) {
  /** The finalizer that it has from before its first action until nothing is left to be undone. */
  public static final String FINALIZER = "probelet.io/remediator";

  /** Copies finalizers and annotations. */
  public RemediationRequest {
    finalizers = List.copyOf(finalizers);
    annotations = Map.copyOf(annotations);
  }

  /** {@return whether it has our finalizer} */
  public boolean hasFinalizer() {
    return finalizers.contains(FINALIZER);
  }

  /**
   * Takes another status.
   *
   * @return a copy with it
   */
  public RemediationRequest<S> with(RemediationProgress changed) {
    return new RemediationRequest<>(
        kind,
        ref,
        uid,
        resourceVersion,
        created,
        node,
        spec,
        changed,
        deleting,
        finalizers,
        annotations);
  }
}
