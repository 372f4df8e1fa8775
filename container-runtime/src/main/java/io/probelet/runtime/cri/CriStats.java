package io.probelet.runtime.cri;

import java.time.Duration;

/**
 * What an operator may want to know of a runtime, at one moment.
 *
 * @param connected whether the last look at it succeeded
 * @param problem what is wrong when it did not; otherwise empty
 * @param runtime name and version it gives itself; empty until it was first connected
 * @param disconnects how often it went away since the start
 * @param relists how often all pods and containers were listed
 * @param lastRelist how long the last successful look at everything took
 * @param execsRunning commands running now, those included that outlive their timeout
 * @param execsWaiting commands waiting for one of those to end
 */
public record CriStats(
    boolean connected,
    String problem,
    String runtime,
    long disconnects,
    long relists,
    Duration lastRelist,
    int execsRunning,
    int execsWaiting) {}
