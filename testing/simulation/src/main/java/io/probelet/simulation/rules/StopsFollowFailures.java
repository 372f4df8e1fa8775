package io.probelet.simulation.rules;

import io.probelet.simulation.rules.WorldEvent.StopsJudged;

/** A stop must have a cause that is its own. */
final class StopsFollowFailures implements Rule {
  @Override
  public String name() {
    return "stops-follow-failures";
  }

  @Override
  public String reason() {
    return "An agent decides to stop a container only for failures of this instance, each of which"
        + " counts for one decision (D-1).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof StopsJudged stops) {
      findings.check(this, stops.at(), stops.wrong().isEmpty(), () -> stops.wrong().getFirst());
    }
  }
}
