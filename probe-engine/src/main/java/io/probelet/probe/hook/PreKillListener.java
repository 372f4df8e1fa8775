package io.probelet.probe.hook;

import io.probelet.probe.engine.RestartDecision;

/** Takes what preKill commands have found out. */
@FunctionalInterface
public interface PreKillListener {
  /** Takes nothing. */
  PreKillListener NONE = (decision, report) -> {};

  /**
   * A command is over, and the container is stopped next.
   *
   * @param decision why it is stopped
   * @param report how the command ended
   */
  void ended(RestartDecision decision, Report report);

  /**
   * How a command ended.
   *
   * @param result for people, such as "exit code 0"
   * @param output what it wrote, at most {@link PreKillStopper#MAX_OUTPUT} bytes; a tenant's text
   */
  record Report(String result, String output) {}
}
