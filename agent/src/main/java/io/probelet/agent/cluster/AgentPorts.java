package io.probelet.agent.cluster;

import io.probelet.health.TimeSource;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.probe.service.ProbeNetwork;
import io.probelet.probe.service.ProbeService;
import io.probelet.web.http.HttpServers;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * What an agent of a node works with: that of its machine, or of a simulated one.
 *
 * @param access reaches the API server
 * @param network carries probes
 * @param warmUp begins to prepare the first probe that counts (W-21: classes are loaded before it);
 *     what it returns waits until that is done
 * @param servers opens HTTP servers
 * @param runtime sees the node's containers
 * @param proc where the node's kernel says how long tasks wait, {@code /proc}
 * @param random spreads what the processes of a cluster do; used by several threads
 * @param time its clocks and threads
 */
public record AgentPorts(
    ClusterAccess access,
    ProbeNetwork network,
    Function<ProbeService, Runnable> warmUp,
    HttpServers servers,
    NodeRuntime runtime,
    Path proc,
    RandomGenerator random,
    TimeSource time) {}
