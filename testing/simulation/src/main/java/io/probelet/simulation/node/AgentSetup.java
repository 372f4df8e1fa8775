package io.probelet.simulation.node;

import io.probelet.agent.config.AgentConfiguration;
import io.probelet.agent.order.BusConnector;
import io.probelet.monitor.bus.SystemBus;
import io.probelet.monitor.rule.Monitor;
import java.io.IOException;
import java.util.List;

/**
 * How the agent of a node is set up.
 *
 * @param configuration of the agent; its runtime, monitors and state folder are those of the node
 * @param monitors of the node
 * @param bus carries out service restarts and reboots
 */
public record AgentSetup(
    AgentConfiguration configuration, List<Monitor> monitors, BusConnector bus) {
  /** Keeps an unmodifiable copy of the monitors. */
  public AgentSetup {
    monitors = List.copyOf(monitors);
  }

  /** {@return the default configuration on a node without D-Bus} */
  public static AgentSetup with(List<Monitor> monitors) {
    return new AgentSetup(AgentConfiguration.DEFAULT, monitors, AgentSetup::noBus);
  }

  private static SystemBus noBus() throws IOException {
    throw new IOException("no D-Bus");
  }
}
