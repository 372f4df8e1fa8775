package io.probelet.simulation.control;

/** Whatever can reboot a node from outside: a fencing device, a watchdog. */
@FunctionalInterface
public interface NodePower {
  /**
   * Reboots a node.
   *
   * @param node its name
   */
  void reboot(String node);
}
