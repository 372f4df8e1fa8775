package io.probelet.probe.engine;

import io.probelet.probe.ContainerRole;
import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.ContainerObservation;

/**
 * How a container is: what the runtime sees and what probes decided.
 *
 * @param pod its pod
 * @param name its name
 * @param role how it takes part in its pod
 * @param observation what the runtime saw last
 * @param started whether it runs and its startup probe, if any, has succeeded (W-8)
 * @param ready whether it takes traffic (W-9); of an init container whether it has succeeded
 */
public record ContainerStatus(
    PodRef pod,
    String name,
    ContainerRole role,
    ContainerObservation observation,
    boolean started,
    boolean ready) {
  /**
   * How a regular container is.
   *
   * @param pod its pod
   * @param name its name
   * @param observation what the runtime saw last
   * @param started whether it runs and its startup probe, if any, has succeeded (W-8)
   * @param ready whether it takes traffic (W-9)
   */
  public ContainerStatus(
      PodRef pod, String name, ContainerObservation observation, boolean started, boolean ready) {
    this(pod, name, ContainerRole.REGULAR, observation, started, ready);
  }
}
