package io.probelet.remediator.controller;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.probelet.kube.ApiServer;
import io.probelet.remediator.decide.DrainPods;
import io.probelet.remediator.decide.ObservedNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Reads the pods of a node that is drained, in a process of its own. */
final class DrainProcess {
  private DrainProcess() {}

  public static void main(String[] arguments) throws UnreadableException {
    ObservedNode node =
        new ObservedNode("n", "u", "1", "b", true, Map.of(), List.of(), Map.of(), Map.of());
    Config config = new ConfigBuilder(Config.empty()).withMasterUrl(arguments[0]).build();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      DrainPods pods = DrainReader.read(ApiServer.of(client, Duration.ofMinutes(1)), node);
      System.out.println("pods=" + pods.pods().size() + " more=" + pods.more());
    }
  }
}
