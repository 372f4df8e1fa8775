package io.probelet.nodehealth.rehearsal;

import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.nodehealth.remediation.TemplateLookup;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.ObjectRef;
import java.util.List;
import java.util.Map;

/**
 * NodeHealthChecks to rehearse.
 *
 * @param checks the NodeHealthChecks, with distinct names
 * @param templates lookup results of templates; others are missing
 * @param policies the policies, with distinct names
 */
public record Candidate(
    String title,
    List<NodeHealthCheck> checks,
    Map<ObjectRef, TemplateLookup> templates,
    List<RemediationPolicy> policies) {
  /** Copies all. */
  public Candidate {
    checks = List.copyOf(checks);
    templates = Map.copyOf(templates);
    policies = List.copyOf(policies);
  }
}
