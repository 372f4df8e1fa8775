package io.probelet.benchmarks;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.probelet.cluster.care.CareListener;
import io.probelet.cluster.care.ClusterCare;
import io.probelet.cluster.care.NamedChecks;
import io.probelet.cluster.webhook.WebhookChange;
import io.probelet.health.Condition;
import io.probelet.health.SystemClock;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/**
 * Checks the cluster of the API server whose address is its argument, until its input ends, and
 * prints the result of each round.
 */
final class ClusterHealthProcess {
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private ClusterHealthProcess() {}

  private static final class RefreshLoop implements CareListener {
    @Override
    public void roundEnded(List<Condition> conditions, List<Condition> constraints) {
      conditions.stream()
          .filter(one -> one.type().equals("SystemComponentsHealthy"))
          .forEach(one -> OUT.println(one.status() + " " + one.message()));
    }

    @Override
    public void webhooksRemediated(
        String configuration, List<WebhookChange> changes, boolean dryRun) {
      // there are none
    }
  }

  public static void main(String[] args) throws Exception {
    Quiet.logs();
    Config config = new ConfigBuilder(Config.empty()).withMasterUrl(args[0]).build();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
        ClusterCare _ =
            ClusterCare.start(
                client,
                NamedChecks.DEFAULTS,
                SystemClock.INSTANCE,
                new Random(),
                new RefreshLoop(),
                () -> true)) {
      while (System.in.read() >= 0) {
        // until the harness is done
      }
    }
  }
}
