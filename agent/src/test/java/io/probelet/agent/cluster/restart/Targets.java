package io.probelet.agent.cluster.restart;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeTarget;
import java.util.Map;

/** Containers to be stopped, with nothing special about them. */
public final class Targets {
  private Targets() {}

  public static ProbeTarget of(PodRef pod, String container, String id) {
    return new ProbeTarget(pod, ContainerSpec.of(container, Map.of()), id, "");
  }
}
