package io.probelet.benchmarks;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.ElectionTiming;
import io.probelet.nodehealth.controller.NodeRemediation;
import io.probelet.nodehealth.controller.RemediationListener;
import io.probelet.nodehealth.controller.RemediationSettings;
import java.time.Duration;
import java.util.Random;

/**
 * The leader, against the API server whose address is its argument, until its input ends. With a
 * further argument it merely receives what the leader would.
 */
final class RemediationProcess {
  private RemediationProcess() {}

  public static void main(String[] args) throws Exception {
    Quiet.logs();
    Config config = new ConfigBuilder(Config.empty()).withMasterUrl(args[0]).build();
    RemediationSettings settings =
        new RemediationSettings(
            "leader",
            "probelet",
            RemediationSettings.LEASE_NAMESPACE,
            RemediationSettings.EVENT_COMPONENT,
            ElectionTiming.DEFAULT);
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
        AutoCloseable _ =
            args.length > 1
                ? receive(client)
                : NodeRemediation.start(
                    client,
                    settings,
                    SystemClock.INSTANCE,
                    new Random(),
                    RemediationListener.NONE)) {
      while (System.in.read() >= 0) {
        // until whoever measures is done
      }
    }
  }

  private static AutoCloseable receive(KubernetesClient client) {
    ApiServer api = ApiServer.of(client, ElectionTiming.DEFAULT.deadline());
    return Thread.startVirtualThread(() -> {
      try {
        api.stream("/api/v1/nodes?watch=true", Duration.ofDays(1), _ -> {});
      } catch (InterruptedException stop) {
        // whoever measures is done
      }
    })
        ::interrupt;
  }
}
