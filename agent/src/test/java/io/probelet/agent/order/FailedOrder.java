package io.probelet.agent.order;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.probelet.health.SystemClock;
import io.probelet.health.Threads;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.monitor.bus.SystemBus;
import io.probelet.remediator.order.NodeOrder;
import io.probelet.remediator.order.NodeOrderJson;
import io.probelet.remediator.order.OrderAction;
import io.probelet.remediator.order.OrderOwner;
import io.probelet.remediator.order.OrderPermissions;
import io.probelet.remediator.order.OrderSpec;
import io.probelet.remediator.resource.RebootMode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.Set;

/** The metrics of an agent that was ordered what it does not permit. */
public final class FailedOrder {
  private FailedOrder() {}

  /** What a scrape of the agent on the node "here" reads. */
  public static String scrape() throws IOException {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.config().commonTags("node", "here");
    Path nowhere = Path.of("nowhere");
    BusConnector noBus = () -> SystemBus.connect(nowhere);
    try (FakeApiServer server = new FakeApiServer();
        KubernetesClient client = server.client();
        OrdersPart _ =
            new OrdersPart(
                ApiServer.of(client, Duration.ofSeconds(10)),
                "probelet-system",
                "here",
                "boot-1",
                () -> new OrderPermissions(Set.of(), false, false, false),
                new NodeActions(
                    new ServiceRestart(noBus, Threads.MACHINE::sleep),
                    new NodeReboot(noBus, nowhere, Threads.MACHINE::sleep),
                    _ -> null),
                () -> {},
                registry,
                SystemClock.INSTANCE,
                new Random(1))) {
      server.put(
          NodeOrderJson.write(
              NodeOrder.draft(
                  "probelet-system",
                  "here",
                  new OrderSpec(
                      new OrderAction.Reboot(RebootMode.REBOOT),
                      "boot-1",
                      Duration.ofSeconds(30),
                      "",
                      new OrderOwner("RebootRemediation", "ns", "here", "u"),
                      false))));
      await().until(() -> registry.scrape().contains("probelet_node_orders_total{"));
      return registry.scrape();
    }
  }
}
