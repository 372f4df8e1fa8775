package io.probelet.simulation.node;

import io.probelet.agent.config.GuardSettings;
import io.probelet.agent.config.OrderSettings;
import io.probelet.monitor.rule.Monitor;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.simulation.kernel.SimulatedProcess;
import java.util.List;
import java.util.function.Function;

/**
 * How the agent of a node is set up; everything else is the default.
 *
 * @param orders which orders it carries out
 * @param monitors of the node
 * @param guard against mass failures
 * @param listeners to the probes of a run, which is a process
 */
public record AgentSetup(
    OrderSettings orders,
    List<Monitor> monitors,
    GuardSettings guard,
    Function<SimulatedProcess, List<ProbeListener>> listeners) {
  /** Keeps an unmodifiable copy of the list. */
  public AgentSetup {
    monitors = List.copyOf(monitors);
  }
}
