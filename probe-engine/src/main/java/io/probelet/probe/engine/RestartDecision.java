package io.probelet.probe.engine;

import io.probelet.probe.ProbeSubject;
import java.time.Duration;

/**
 * A probe found that a running container must be stopped (D-1).
 *
 * @param subject the probe that decided
 * @param containerId the container to stop
 * @param grace time between TERM and KILL
 * @param event what the user is told: {@code Killing}
 * @param message what the probe said
 */
public record RestartDecision(
    ProbeSubject subject, String containerId, Duration grace, ProbeEvent event, String message) {
  /**
   * {@return the same decision, told otherwise}
   *
   * @param told what the user is told
   */
  public RestartDecision with(ProbeEvent told) {
    return new RestartDecision(subject, containerId, grace, told, message);
  }
}
