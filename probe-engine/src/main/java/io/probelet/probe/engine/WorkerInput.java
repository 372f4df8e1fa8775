package io.probelet.probe.engine;

import io.probelet.probe.runtime.PodObservation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * All that a worker knows at a tick.
 *
 * @param pod the pod's last observation, null while there is none
 * @param started whether the container has started (W-8)
 * @param runFor how long the container has been running, by the monotonic clock
 * @param adopted whether an earlier life of the agent has probed it: it is remembered, or ran since
 *     more than 10 s before the agent started
 */
record WorkerInput(
    @Nullable PodObservation pod, boolean started, Duration runFor, boolean adopted) {}
