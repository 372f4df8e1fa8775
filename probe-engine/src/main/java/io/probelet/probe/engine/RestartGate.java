package io.probelet.probe.engine;

/**
 * Has a last word on restarts. A container that it keeps is probed on as if it were new: so it is
 * known when it recovers, and asked for again when it does not.
 */
@FunctionalInterface
public interface RestartGate {
  /** Keeps nothing. */
  RestartGate OPEN = _ -> true;

  /**
   * Asks about one container; called on its pod's loop, so it must not block.
   *
   * @param decision which and why
   * @return whether it is to be stopped
   */
  boolean lets(RestartDecision decision);
}
