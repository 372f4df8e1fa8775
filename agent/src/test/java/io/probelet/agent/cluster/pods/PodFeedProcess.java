package io.probelet.agent.cluster.pods;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiServer;
import io.probelet.probe.PodRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** Follows the pods of a node in a process of its own, and says which of them it probes. */
final class PodFeedProcess {
  private PodFeedProcess() {}

  public static void main(String[] arguments) throws InterruptedException {
    KnownPods known = new KnownPods();
    CountDownLatch listed = new CountDownLatch(1);
    PodListener listener =
        new PodListener() {
          @Override
          public void listed(Set<PodRef> there) {
            listed.countDown();
          }

          @Override
          public void changed(ClusterPod pod) {
            known.put(pod);
          }

          @Override
          public void removed(ClusterPod pod) {
            known.remove(pod);
          }
        };
    Config config = new ConfigBuilder(Config.empty()).withMasterUrl(arguments[0]).build();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
        PodFeed feed =
            new PodFeed(
                ApiServer.of(client, Duration.ofMinutes(1)),
                "here",
                AgentConfiguration.DEFAULT.podRules(),
                listener,
                SystemClock.INSTANCE,
                new Random(1))) {
      feed.start();
      listed.await();
    }
    int probed = 0;
    List<String> problems = new ArrayList<>();
    for (ClusterPod pod : known.all()) {
      probed += pod.probed().containers().isEmpty() ? 0 : 1;
      problems.addAll(pod.problems());
    }
    System.out.println("probed=" + probed + " problems=" + problems.size());
    problems.stream().limit(1).forEach(System.out::println);
  }
}
