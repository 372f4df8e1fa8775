package io.probelet.simulation.rules;

import io.probelet.simulation.rules.WorldEvent.ProbesJudged;

/** What probes say of a container decides about its restarts and its traffic. */
final class ProbesFollowTheTruth implements Rule {
  @Override
  public String name() {
    return "probes-follow-the-truth";
  }

  @Override
  public String reason() {
    return "Probes come when a kubelet's would, say how the container was, and are counted as a"
        + " kubelet counts (W-2 to W-6, W-8, W-12).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof ProbesJudged probes) {
      findings.check(this, probes.at(), probes.wrong().isEmpty(), () -> probes.wrong().getFirst());
    }
  }
}
