package io.probelet.remediator.decide;

import io.probelet.remediator.resource.RemediationRequest;
import java.time.Instant;
import java.util.Optional;

/** Decides whether a remediation may start. Called before its first action, by several threads. */
@FunctionalInterface
public interface ActionGate {
  /** Allows every remediation. */
  ActionGate OPEN = (_, _, _) -> Optional.empty();

  /**
   * Asks.
   *
   * @param remediation which; nothing was done for it so far
   * @return why it has to wait; empty if it may begin
   */
  Optional<ActionHold> hold(RemediationRequest<?> remediation, ObservedNode node, Instant now);
}
