package io.probelet.probe;

/** How a container takes part in its pod. */
public enum ContainerRole {
  /** Runs to its end before the next container starts. It has no probes. */
  INIT,
  /** An init container with restartPolicy Always: it keeps running. */
  SIDECAR,
  /** One of {@code spec.containers}. */
  REGULAR;

  /** {@return whether it is one of {@code spec.initContainers}} */
  public boolean inInitContainers() {
    return this != REGULAR;
  }
}
