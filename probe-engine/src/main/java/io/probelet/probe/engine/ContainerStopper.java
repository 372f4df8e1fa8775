package io.probelet.probe.engine;

import io.probelet.probe.runtime.ContainerRuntimeException;

/** Carries out a decision to stop a container, by whatever means there are. */
@FunctionalInterface
public interface ContainerStopper {
  /**
   * Stops the container and waits until that is done. May block; one that has ended is stopped.
   *
   * @param decision which and why
   * @throws ContainerRuntimeException if it could not be stopped; trying again is safe
   * @throws InterruptedException if the caller gave up waiting
   */
  void stop(RestartDecision decision) throws ContainerRuntimeException, InterruptedException;
}
