package io.probelet.agent.cluster;

import io.probelet.agent.cluster.publish.PodEvents;
import io.probelet.agent.cluster.restart.KeptListener;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.web.events.RecentEvents;

/**
 * Reports suppressed restarts: as pod events to the API server, and as the agent's own events.
 *
 * @param recent the agent's own
 */
record KeptReports(PodEvents pods, RecentEvents recent) implements KeptListener {
  @Override
  public void kept(RestartDecision decision, String reason, String message) {
    pods.kept(decision, reason, message);
    recent.kept(decision, reason, message);
  }

  @Override
  public void observed(RestartDecision decision, String message) {
    recent.kept(decision, "RestartSuppressed", message);
  }
}
