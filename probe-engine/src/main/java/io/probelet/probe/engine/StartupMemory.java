package io.probelet.probe.engine;

import io.probelet.probe.PodRef;

/**
 * What startup probes found in an earlier life of the agent, so that its restart does not put
 * containers back to where they start (W-8).
 */
@FunctionalInterface
public interface StartupMemory {
  /** Remembers nothing: startup probes of running containers start again. */
  StartupMemory NONE = (pod, container, containerId) -> false;

  /**
   * Asks about one instance of a container; called on its pod's loop, so it must not block.
   *
   * @param pod its pod
   * @param container its name
   * @param containerId the runtime's id of this instance
   * @return whether its startup probe has succeeded before the agent started
   */
  boolean started(PodRef pod, String container, String containerId);
}
