package io.probelet.controller;

import io.probelet.controller.remediation.RemediationPart;
import io.probelet.nodehealth.workloads.WorkloadSettings;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.web.part.ControllerContext;
import io.probelet.web.part.Part;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is led, and how.
 *
 * @param parts what to do as a leader, each once, in the order in which they begin
 * @param remediators which kinds of remediations are carried out; the part of that name begins only
 *     if there is one
 * @param workloads which workloads are evidence about nodes; null without the part of that name
 */
public record ControllerSettings(
    List<ControllerPart> parts,
    RemediationPart.Settings remediation,
    List<RemediationKind> remediators,
    @Nullable WorkloadSettings workloads) {
  /** Keeps unmodifiable copies, and leaves out a part that would have nothing to do. */
  public ControllerSettings {
    remediators = List.copyOf(remediators);
    boolean none = remediators.isEmpty();
    parts = parts.stream().filter(part -> !none || part != ControllerPart.REMEDIATORS).toList();
    if (workloads == null && parts.contains(ControllerPart.WORKLOAD_EVIDENCE)) {
      throw new IllegalArgumentException("workload-evidence needs its settings");
    }
  }

  /**
   * Without evidence by workloads.
   *
   * @param parts what to do as a leader, each once, in the order in which they begin
   * @param remediators which kinds of remediations are carried out
   */
  public ControllerSettings(
      List<ControllerPart> parts,
      RemediationPart.Settings remediation,
      List<RemediationKind> remediators) {
    this(parts, remediation, remediators, null);
  }

  /**
   * Becomes a candidate for leader of all parts.
   *
   * @param ports its servers and hooks; time and randomness are the context's
   * @return the parts, each to be closed
   */
  public List<Part> start(ControllerContext context, ControllerPorts ports) {
    return parts.stream().map(part -> part.start(context, this, ports)).toList();
  }
}
