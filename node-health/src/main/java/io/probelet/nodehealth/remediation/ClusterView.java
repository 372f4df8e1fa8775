package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.policy.PolicyFacts;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.ObjectRef;
import java.util.Map;
import org.pcollections.PMap;

/**
 * The input of a plan at one moment. Immutable while planning.
 *
 * @param remediations all remediations of all kinds in use, of any owner
 * @param unseen our writes that no watch has shown yet
 * @param policies the limits for all remediations together
 */
public record ClusterView(
    NodeHealthCheck nhc,
    NodeCensus census,
    RemediationIndex remediations,
    Map<ObjectRef, TemplateLookup> templates,
    PMap<String, NodeLease> leases,
    PendingWrites unseen,
    PolicyFacts policies) {
  /** Copies the lookup results of templates, of which there are few. */
  public ClusterView {
    templates = Map.copyOf(templates);
  }
}
