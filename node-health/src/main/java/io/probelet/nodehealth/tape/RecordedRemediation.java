package io.probelet.nodehealth.tape;

import io.probelet.nodehealth.remediation.ObservedRemediation;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.remediation.RemediationDraft.OwnerRef;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A remediation resource in the form of a tape.
 *
 * @param check the NodeHealthCheck that owns it; empty if none does
 * @param template its template; empty if that is unknown
 * @param deleting whether it is being deleted
 * @param timedOut when it was given up, from its annotation; empty if it was not
 */
public record RecordedRemediation(
    ObjectRef ref,
    String uid,
    String node,
    String check,
    String template,
    Instant created,
    boolean deleting,
    Success succeeded,
    String timedOut) {

  /** Extracts the parts of a remediation that a tape contains. */
  public static RecordedRemediation of(ObservedRemediation observed) {
    String check =
        observed.owners().stream()
            .filter(owner -> owner.kind().equals(NodeHealthCheck.KIND))
            .filter(owner -> owner.apiVersion().equals(NodeHealthCheck.API_VERSION))
            .map(OwnerRef::name)
            .findFirst()
            .orElse("");
    return new RecordedRemediation(
        observed.ref(),
        observed.uid(),
        observed.nodeName(),
        check,
        observed.annotations().getOrDefault(WireNames.TEMPLATE_NAME, ""),
        observed.created(),
        observed.deleting(),
        observed.succeeded(),
        observed.annotations().getOrDefault(WireNames.TIMED_OUT, ""));
  }

  /** {@return the remediation in the planner's form} */
  public ObservedRemediation observed() {
    Map<String, String> annotations = new HashMap<>();
    annotations.put(WireNames.NODE_NAME, node);
    if (!template.isEmpty()) {
      annotations.put(WireNames.TEMPLATE_NAME, template);
    }
    if (!timedOut.isEmpty()) {
      annotations.put(WireNames.TIMED_OUT, timedOut);
    }
    List<OwnerRef> owners =
        check.isEmpty()
            ? List.of()
            : List.of(new OwnerRef(NodeHealthCheck.API_VERSION, NodeHealthCheck.KIND, check, ""));
    return new ObservedRemediation(
        ref, uid, created, deleting, Map.of(), annotations, owners, succeeded, false);
  }
}
