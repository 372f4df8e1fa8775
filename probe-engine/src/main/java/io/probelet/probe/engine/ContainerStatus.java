package io.probelet.probe.engine;

import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.ContainerObservation;

/**
 * How a container is: what the runtime sees and what probes decided.
 *
 * @param pod its pod
 * @param name its name
 * @param observation what the runtime saw last
 * @param started whether it runs and its startup probe, if any, has succeeded (W-8)
 * @param ready whether it takes traffic (W-9)
 */
public record ContainerStatus(
    PodRef pod, String name, ContainerObservation observation, boolean started, boolean ready) {}
