package io.probelet.simulation.control;

/** Reboots nodes from outside, as a fencing device or a watchdog does. */
@FunctionalInterface
public interface NodePower {
  /**
   * Reboots a node.
   *
   * @param node its name
   */
  void reboot(String node);
}
