package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.remediation.RemediationDraft.OwnerRef;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A remediation resource in the cluster, of any owner.
 *
 * @param deleting whether it is being deleted and waits for finalizers
 * @param permanentNodeDeletionExpected whether its condition of that name is True
 */
public record ObservedRemediation(
    ObjectRef ref,
    String uid,
    Instant created,
    boolean deleting,
    Map<String, String> labels,
    Map<String, String> annotations,
    List<OwnerRef> owners,
    Success succeeded,
    boolean permanentNodeDeletionExpected) {
  /** Copies labels, annotations and owners. */
  public ObservedRemediation {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
    owners = List.copyOf(owners);
  }

  /** The result that a remediator reports. */
  public enum Success {
    /** It has succeeded. */
    YES,
    /** It has failed. */
    NO,
    /** No result yet. */
    UNKNOWN
  }

  /** {@return the name of the node it is for } */
  public String nodeName() {
    return annotations.getOrDefault(WireNames.NODE_NAME, ref.name());
  }

  /** {@return a copy that is being deleted} */
  public ObservedRemediation asDeleting() {
    return new ObservedRemediation(
        ref,
        uid,
        created,
        true,
        labels,
        annotations,
        owners,
        succeeded,
        permanentNodeDeletionExpected);
  }

  /**
   * Adds or replaces an annotation.
   *
   * @return a copy with it
   */
  public ObservedRemediation withAnnotation(String annotation, String value) {
    Map<String, String> changed = new HashMap<>(annotations);
    changed.put(annotation, value);
    return new ObservedRemediation(
        ref,
        uid,
        created,
        deleting,
        labels,
        changed,
        owners,
        succeeded,
        permanentNodeDeletionExpected);
  }

  /**
   * Sets the remediator's result.
   *
   * @return a copy with it
   */
  public ObservedRemediation withSucceeded(Success success) {
    return new ObservedRemediation(
        ref,
        uid,
        created,
        deleting,
        labels,
        annotations,
        owners,
        success,
        permanentNodeDeletionExpected);
  }

  boolean isOwnedBy(NodeHealthCheck nhc) {
    for (OwnerRef owner : owners) { // called for every remediation in every plan
      if (owner.names(nhc)) {
        return true;
      }
    }
    return false;
  }

  /** by its two annotations; without the template annotation, by its name. */
  boolean belongsTo(String node, RemediationStep step) {
    if (!isOfKind(step)) {
      return false;
    }
    String template = annotations.get(WireNames.TEMPLATE_NAME);
    return template == null
        ? ref.name().equals(node)
        : template.equals(step.template().name())
            && node.equals(annotations.get(WireNames.NODE_NAME));
  }

  boolean isOfKind(RemediationStep step) {
    return ref.kind().equals(step.remediationKind())
        && ref.apiVersion().equals(step.template().apiVersion());
  }

  boolean isForControlPlane() {
    return labels.containsKey(WireNames.CONTROL_PLANE_REMEDIATION);
  }

  /** {@return the time in an annotation; empty if it is absent or not an RFC 3339 date and time} */
  Optional<Instant> moment(String annotation) {
    String text = annotations.get(annotation);
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException notOurs) {
      return Optional.empty();
    }
  }
}
