package io.probelet.probe.engine;

import io.probelet.probe.ProbeSubject;
import io.probelet.probe.ProbeTarget;
import java.time.Duration;

/**
 * A probe found that a running container must be stopped (D-1).
 *
 * @param subject the probe that decided
 * @param target the container to stop
 * @param grace time between TERM and KILL
 * @param event the event for the user: {@code Killing}
 * @param message what the probe said
 */
public record RestartDecision(
    ProbeSubject subject, ProbeTarget target, Duration grace, ProbeEvent event, String message) {
  /** {@return the runtime's id of the container to stop} */
  public String containerId() {
    return target.containerId();
  }

  /**
   * {@return the same decision with another event}
   *
   * @param other the event for the user
   */
  public RestartDecision with(ProbeEvent other) {
    return new RestartDecision(subject, target, grace, other, message);
  }
}
