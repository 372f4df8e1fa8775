package io.probelet.benchmarks;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.probelet.health.SystemClock;
import io.probelet.nodehealth.controller.NodeRemediation;
import io.probelet.nodehealth.controller.RemediationListener;
import io.probelet.nodehealth.controller.RemediationSettings;
import io.probelet.nodehealth.election.Timing;
import java.io.IOException;

/** The leader, against the API server whose address is its argument, until its input ends. */
final class RemediationProcess {
  private RemediationProcess() {}

  public static void main(String[] args) throws IOException {
    Quiet.logs();
    Config config = new ConfigBuilder(Config.empty()).withMasterUrl(args[0]).build();
    RemediationSettings settings =
        new RemediationSettings(
            "leader", "probelet", RemediationSettings.LEASE_NAMESPACE, Timing.DEFAULT);
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
        NodeRemediation _ =
            NodeRemediation.start(
                client, settings, SystemClock.INSTANCE, RemediationListener.NONE, _ -> {})) {
      while (System.in.read() >= 0) {
        // until whoever measures is done
      }
    }
  }
}
