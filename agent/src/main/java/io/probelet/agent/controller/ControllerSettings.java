package io.probelet.agent.controller;

import io.probelet.agent.part.ControllerContext;
import io.probelet.agent.part.Part;
import io.probelet.agent.remediation.RemediationPart;
import java.util.List;

/**
 * What is led, and how.
 *
 * @param parts what to do as a leader, each once, in the order in which they begin
 * @param remediation how nodes are remediated
 */
public record ControllerSettings(List<ControllerPart> parts, RemediationPart.Settings remediation) {
  /** Keeps an unmodifiable copy of the parts. */
  public ControllerSettings {
    parts = List.copyOf(parts);
  }

  /**
   * Becomes a candidate for leader of all parts.
   *
   * @param context what they are given
   * @return the parts, each to be closed
   */
  public List<Part> start(ControllerContext context) {
    return parts.stream().map(part -> part.start(context, this)).toList();
  }
}
