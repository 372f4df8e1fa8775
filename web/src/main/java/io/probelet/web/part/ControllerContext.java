package io.probelet.web.part;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.ElectionTiming;
import io.probelet.kube.election.LeaderTask;
import io.probelet.kube.election.Leadership;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;

/**
 * What a part is given that acts for the whole cluster while it leads.
 *
 * @param identity name of the node or the pod, by which a reader knows the leader
 * @param client knows the API server; closed by its owner, afterwards
 * @param metrics where to add one's metrics
 * @param random spreads what the processes of a cluster do; used by several threads
 */
public record ControllerContext(
    String identity,
    String namespace,
    KubernetesClient client,
    MeterRegistry metrics,
    TimeSource time,
    RandomGenerator random) {
  /** More than an API server takes that answers at all. */
  private static final Duration LONGEST_REQUEST = Duration.ofSeconds(10);

  /**
   * Takes part in an election and runs its work while leading.
   *
   * @param opener opens the work for a term. It gets an API server, of which no request takes
   *     longer than others wait for the lease. That, and to close the work, must be quick
   * @return to be closed
   */
  public <T extends AutoCloseable> LeaderTask<T> lead(
      String lease, ElectionTiming timing, BiFunction<ApiServer, Leadership, T> opener) {
    ApiServer api = ApiServer.of(client, longestRequest(timing), time.threads());
    return new LeaderTask<>(
        client, namespace, lease, identity, timing, time, random, term -> opener.apply(api, term));
  }

  /** What a leader began before its deadline must end before another may lead. */
  static Duration longestRequest(ElectionTiming timing) {
    Duration spare = timing.requestTimeout();
    return spare.compareTo(LONGEST_REQUEST) < 0 ? spare : LONGEST_REQUEST;
  }
}
