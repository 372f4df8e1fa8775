package io.probelet.probe.engine;

import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.ProbeTarget;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.MarkerFactory;

/**
 * A probe found that a running container must be stopped (D-1).
 *
 * @param subject the probe that decided
 * @param target the container to stop
 * @param grace time between TERM and KILL
 * @param event the event for the user: {@code Killing}
 * @param message what the probe said
 * @param throttleHold how long the pod's author lets it wait while the container is throttled; null
 *     for what the administrator has set
 */
public record RestartDecision(
    ProbeSubject subject,
    ProbeTarget target,
    Duration grace,
    ProbeEvent event,
    String message,
    @Nullable Duration throttleHold) {
  /**
   * Marks log lines about kills, ends and decisions, which no limit on a pod's lines holds back.
   */
  public static final Marker LOG_MARKER = MarkerFactory.getMarker("decision");

  /**
   * A decision whose pod says nothing of throttling.
   *
   * @param subject the probe that decided
   * @param target the container to stop
   * @param grace time between TERM and KILL
   * @param event the event for the user
   * @param message what the probe said
   */
  public RestartDecision(
      ProbeSubject subject, ProbeTarget target, Duration grace, ProbeEvent event, String message) {
    this(subject, target, grace, event, message, null);
  }

  /** {@return the runtime's id of the container to stop} */
  public String containerId() {
    return target.containerId();
  }

  /** {@return whether the pod's author wants all containers of the pod restarted (D-23)} */
  public boolean restartsPod() {
    ProbeSpec probe = probe();
    return probe != null && probe.restartsPod();
  }

  /** {@return the command that the pod's author wants run before the stop (D-24), or nothing} */
  public List<String> preKill() {
    ProbeSpec probe = probe();
    return probe == null ? List.of() : probe.preKill();
  }

  private @Nullable ProbeSpec probe() {
    return target.container().probes().get(subject.kind());
  }

  /**
   * {@return the same decision with another event}
   *
   * @param other the event for the user
   */
  public RestartDecision with(ProbeEvent other) {
    return new RestartDecision(subject, target, grace, other, message, throttleHold);
  }
}
