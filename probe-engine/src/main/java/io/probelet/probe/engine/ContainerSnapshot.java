package io.probelet.probe.engine;

import io.probelet.probe.ProbeTarget;
import java.util.List;

/**
 * A container and its probes at one moment.
 *
 * @param status how the container is
 * @param restarts whether another instance follows one that a probe has stopped
 * @param probes startup, readiness, liveness, as far as it has them
 * @param target where they are sent to
 */
public record ContainerSnapshot(
    ContainerStatus status, boolean restarts, List<ProbeSnapshot> probes, ProbeTarget target) {
  /** Keeps an unmodifiable copy of the probes. */
  public ContainerSnapshot {
    probes = List.copyOf(probes);
  }
}
