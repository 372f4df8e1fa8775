package io.probelet.simulation.node;

import io.probelet.agent.config.OrderSettings;
import io.probelet.monitor.rule.Monitor;
import io.probelet.probe.engine.ProbeListener;
import java.util.List;

/**
 * How the agent of a node is set up; everything else is the default.
 *
 * @param orders which orders it carries out
 * @param monitors of the node
 * @param listeners to its probes
 */
public record AgentSetup(
    OrderSettings orders, List<Monitor> monitors, List<ProbeListener> listeners) {
  /** Keeps unmodifiable copies of the lists. */
  public AgentSetup {
    monitors = List.copyOf(monitors);
    listeners = List.copyOf(listeners);
  }
}
