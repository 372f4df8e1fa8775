package io.probelet.nodehealth.rehearsal;

import io.probelet.nodehealth.maintenance.Maintenance;
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
 * @param maintenances the Maintenances, with distinct names, besides those on the tape
 */
public record Candidate(
    String title,
    List<NodeHealthCheck> checks,
    Map<ObjectRef, TemplateLookup> templates,
    List<RemediationPolicy> policies,
    List<Maintenance> maintenances) {
  /** Copies all. */
  public Candidate {
    checks = List.copyOf(checks);
    templates = Map.copyOf(templates);
    policies = List.copyOf(policies);
    maintenances = List.copyOf(maintenances);
  }

  /**
   * NodeHealthChecks without further Maintenances.
   *
   * @param checks the NodeHealthChecks, with distinct names
   * @param templates lookup results of templates; others are missing
   * @param policies the policies, with distinct names
   */
  public Candidate(
      String title,
      List<NodeHealthCheck> checks,
      Map<ObjectRef, TemplateLookup> templates,
      List<RemediationPolicy> policies) {
    this(title, checks, templates, policies, List.of());
  }
}
