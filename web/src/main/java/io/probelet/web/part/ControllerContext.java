package io.probelet.web.part;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.health.TimeSource;
import java.util.random.RandomGenerator;

/**
 * What a part is given that acts for the whole cluster while it leads.
 *
 * @param identity name of the node or the pod, by which a reader knows the leader
 * @param namespace where the leases of leaders and the heartbeats of agents are
 * @param client knows the API server; closed by its owner, afterwards
 * @param metrics where to add one's metrics
 * @param time the clocks to go by
 * @param random spreads what the processes of a cluster do; used by several threads
 */
public record ControllerContext(
    String identity,
    String namespace,
    KubernetesClient client,
    MeterRegistry metrics,
    TimeSource time,
    RandomGenerator random) {}
