package io.probelet.agent.cluster;

import io.probelet.agent.run.AgentNetwork;
import io.probelet.health.TimeSource;
import io.probelet.kube.access.ClusterAccess;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/**
 * What an agent of a node works with: that of its machine, or of a simulated one.
 *
 * @param access reaches the API server
 * @param network carries probes, and serves HTTP
 * @param runtime sees the node's containers
 * @param proc where the node's kernel says how long tasks wait, {@code /proc}
 * @param random spreads what the processes of a cluster do; used by several threads
 * @param time its clocks and threads
 */
public record AgentPorts(
    ClusterAccess access,
    AgentNetwork network,
    NodeRuntime runtime,
    Path proc,
    RandomGenerator random,
    TimeSource time) {}
