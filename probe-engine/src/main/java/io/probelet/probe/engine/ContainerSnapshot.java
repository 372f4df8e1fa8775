package io.probelet.probe.engine;

import java.util.List;

/**
 * A container and its probes at one moment.
 *
 * @param status how the container is
 * @param restarts whether another instance follows one that a probe has stopped
 * @param probes startup, readiness, liveness, as far as it has them
 */
public record ContainerSnapshot(
    ContainerStatus status, boolean restarts, List<ProbeSnapshot> probes) {
  /** Keeps an unmodifiable copy of the probes. */
  public ContainerSnapshot {
    probes = List.copyOf(probes);
  }
}
