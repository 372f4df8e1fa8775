package io.probelet.simulation.rules;

import io.probelet.simulation.rules.WorldEvent.FreshlyStarted;

/** What only a restart brings right is wrong until somebody restarts it. */
final class RestartChangesNothing implements Rule {
  @Override
  public String name() {
    return "restart-changes-nothing";
  }

  @Override
  public String reason() {
    return "Once the world is quiet, all that processes have written is what a fresh start"
        + " computes.";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof FreshlyStarted started) {
      findings.check(
          this,
          started.at(),
          started.difference().isEmpty(),
          () -> "after a restart of all processes " + started.difference());
    }
  }
}
