package io.probelet.fleet;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.probelet.fleet.terminal.Colours;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiServer;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.Random;

/** Shows a cluster in a process of its own, as {@code status --cluster} does. */
final class FleetProcess {
  private FleetProcess() {}

  public static void main(String[] arguments) throws InterruptedException, IOException {
    Config config = new ConfigBuilder(Config.empty()).withMasterUrl(arguments[0]).build();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
        FleetReader reader =
            new FleetReader(
                ApiServer.of(client, Duration.ofMinutes(1)),
                arguments[0],
                "probelet-system",
                SystemClock.INSTANCE,
                new Random(1))) {
      boolean read = reader.awaitRead(Duration.ofMinutes(4));
      FleetView view = reader.view();
      new FleetTable(view, null, Colours.NONE).lines().forEach(System.out::println);
      FleetJson.write(view, null, Writer.nullWriter());
      System.out.printf(
          "read=%s verdict=%s nodes=%d checks=%d remediations=%d events=%d%n",
          read,
          view.verdict().label(),
          view.nodes().size(),
          view.checks().size(),
          view.remediations().size(),
          view.events().size());
      view.gaps().forEach(gap -> System.out.println(gap.what() + "=" + gap.kind().label()));
    }
    System.exit(0); // connections of watches are open
  }
}
