package io.probelet.nodehealth.rehearsal;

import io.probelet.nodehealth.remediation.TemplateLookup;
import io.probelet.nodehealth.remediation.TemplateLookup.Template;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.ObjectRef;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The templates of a NodeHealthCheck if they are unknown: all are assumed to exist in the required
 * form.
 */
public final class AssumedTemplates {
  private AssumedTemplates() {}

  /**
   * Assumes the templates that a NodeHealthCheck names.
   *
   * @return the lookup result of each
   */
  public static Map<ObjectRef, TemplateLookup> of(NodeHealthCheck check) {
    Set<String> seen = new HashSet<>();
    Set<String> twice = new HashSet<>();
    for (RemediationStep step : check.spec().steps()) {
      if (!seen.add(step.template().kind())) {
        twice.add(step.template().kind());
      }
    }
    Map<ObjectRef, TemplateLookup> templates = new HashMap<>();
    for (RemediationStep step : check.spec().steps()) {
      boolean several = twice.contains(step.template().kind());
      templates.put(step.template(), new Template(true, null, several));
    }
    return templates;
  }
}
