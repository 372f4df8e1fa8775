package io.probelet.agent.cluster.restart;

import io.probelet.probe.engine.RestartDecision;

/** Notified of containers that are kept though a probe would have stopped them. */
@FunctionalInterface
public interface KeptListener {
  /**
   * One is kept; called on its pod's loop, or a thread of whoever keeps it.
   *
   * @param decision which and why it was to be stopped
   * @param reason of the event, one word in UpperCamelCase
   */
  void kept(RestartDecision decision, String reason, String message);

  /**
   * One is kept because its pod is only observed, which is as configured and so no event of the
   * pod; called on its pod's loop.
   *
   * @param decision which and why it would be stopped
   * @param message what would have happened, for people
   */
  default void observed(RestartDecision decision, String message) {}
}
