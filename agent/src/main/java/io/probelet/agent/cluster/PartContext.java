package io.probelet.agent.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.health.TimeSource;
import io.probelet.nodehealth.api.ApiServer;
import org.jspecify.annotations.Nullable;

/**
 * What a part of the agent is given to work with.
 *
 * @param node name of the node this agent is for
 * @param podNamespace the namespace of the pod that this agent is, by {@code POD_NAMESPACE}; null
 *     for one who tries an agent out against some cluster, and should not stand for leader
 * @param client knows the API server; closed by the agent. Its typed calls cost some 20 MiB of
 *     memory once they are used: a part that needs little does better with {@code api}
 * @param api the same server as plain JSON
 * @param pods those of the node
 * @param metrics where to add one's metrics
 * @param time the clocks to go by
 */
public record PartContext(
    String node,
    @Nullable String podNamespace,
    KubernetesClient client,
    ApiServer api,
    KnownPods pods,
    MeterRegistry metrics,
    TimeSource time) {
  private static final String USUAL_NAMESPACE = "probelet-system";

  /** {@return where agents keep what is theirs} */
  public String namespace() {
    return podNamespace == null ? USUAL_NAMESPACE : podNamespace;
  }
}
