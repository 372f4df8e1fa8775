package io.probelet.simulation.node;

import io.probelet.agent.config.AgentConfiguration;
import io.probelet.monitor.rule.Monitor;
import java.util.List;

/**
 * How the agent of a node is set up.
 *
 * @param configuration of the agent; its runtime, monitors and state folder are those of the node
 * @param monitors of the node
 */
public record AgentSetup(AgentConfiguration configuration, List<Monitor> monitors) {
  /** Keeps an unmodifiable copy of the monitors. */
  public AgentSetup {
    monitors = List.copyOf(monitors);
  }

  /** {@return the default configuration with other monitors} */
  public static AgentSetup with(List<Monitor> monitors) {
    return new AgentSetup(AgentConfiguration.DEFAULT, monitors);
  }
}
