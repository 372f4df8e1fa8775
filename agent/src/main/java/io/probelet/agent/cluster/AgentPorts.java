package io.probelet.agent.cluster;

import io.probelet.agent.run.Network;
import io.probelet.health.TimeSource;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.probe.runtime.ContainerEvidence.StallTimes;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What an agent of a node works with: that of its machine, or of a simulated one.
 *
 * @param access reaches the API server
 * @param network carries probes, and serves HTTP
 * @param runtime sees the node's containers
 * @param stalls how long tasks of the node have waited, asked each time; empty if the kernel does
 *     not tell
 * @param random spreads what the processes of a cluster do; used by several threads
 * @param time its clocks and threads
 */
public record AgentPorts(
    ClusterAccess access,
    Network network,
    NodeRuntime runtime,
    Supplier<Optional<StallTimes>> stalls,
    RandomGenerator random,
    TimeSource time) {}
