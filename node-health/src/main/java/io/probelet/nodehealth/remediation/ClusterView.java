package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.policy.PolicyFacts;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.ObjectRef;
import java.util.Map;
import org.pcollections.PMap;

/**
 * The input of a plan at one moment. Immutable while planning.
 *
 * @param remediations all remediations of all kinds in use, whoever owns them
 * @param unseen what we wrote and have not seen come back
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
  /** Copies what is known of the templates, of which there are few. */
  public ClusterView {
    templates = Map.copyOf(templates);
  }
}
