package io.probelet.probe.engine;

import io.probelet.probe.ProbeResult;
import org.jspecify.annotations.Nullable;

/**
 * What a container's probes say of its instance.
 *
 * @param startupWorker whether its startup is being probed; a worker that has ended does not count
 * @param startup the published result of the startup probe, null while there is none
 * @param readinessWorker whether its readiness is being probed
 * @param readiness the published result of the readiness probe, null while there is none
 */
record ProbeStatus(
    boolean startupWorker,
    @Nullable ProbeResult startup,
    boolean readinessWorker,
    @Nullable ProbeResult readiness) {}
