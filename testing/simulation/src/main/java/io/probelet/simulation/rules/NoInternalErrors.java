package io.probelet.simulation.rules;

import io.probelet.simulation.rules.WorldEvent.Logged;

/** The program itself says where it has a mistake. */
final class NoInternalErrors implements Rule {
  @Override
  public String name() {
    return "no-internal-errors";
  }

  @Override
  public String reason() {
    return "No process reports an internal error, whatever the world does.";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof Logged logged) {
      findings.check(
          this,
          logged.at(),
          !logged.line().contains("internal error"),
          () -> logged.process() + ": " + logged.line());
    }
  }
}
