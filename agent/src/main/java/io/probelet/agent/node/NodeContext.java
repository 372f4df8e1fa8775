package io.probelet.agent.node;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import java.util.random.RandomGenerator;

/**
 * What watching a node of a cluster is given to work with.
 *
 * @param client knows the API server; closed by its owner, afterwards
 * @param metrics where to add one's metrics
 * @param random spreads what the processes of a cluster do; used by several threads
 */
public record NodeContext(
    String node,
    KubernetesClient client,
    ApiServer api,
    KnownPods pods,
    MeterRegistry metrics,
    TimeSource time,
    RandomGenerator random) {}
