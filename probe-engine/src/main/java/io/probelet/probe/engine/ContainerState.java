package io.probelet.probe.engine;

import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a container between two observations.
 *
 * @param pod what was last seen of its pod, null while nothing is
 * @param observation what was last seen of the container itself
 * @param runningSince when the instance began to run, by the monotonic clock in nanoseconds
 * @param adopted whether an earlier life of the agent has probed the instance
 * @param startedId the instance whose startup probe has succeeded, in this life of the agent or
 *     before; empty for none
 */
record ContainerState(
    @Nullable PodObservation pod,
    ContainerObservation observation,
    long runningSince,
    boolean adopted,
    String startedId) {
  /** What is known of a container that nobody has seen yet. */
  static final ContainerObservation UNSEEN = ContainerObservation.waiting("", 0, "");

  static final ContainerState NEW = new ContainerState(null, UNSEEN, 0, false, "");

  /**
   * {@return how long the instance has been running, by the monotonic clock; zero if it does not}
   */
  Duration runFor(long now) {
    return observation.running() ? Duration.ofNanos(now - runningSince) : Duration.ZERO;
  }

  /** {@return the same, its startup probe having succeeded on an instance} */
  ContainerState startupSucceeded(String containerId) {
    return new ContainerState(pod, observation, runningSince, adopted, containerId);
  }
}
