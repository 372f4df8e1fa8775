package io.probelet.checks;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.checks.result.CheckResult;
import java.time.Duration;

/** The example of docs/how-to/health-checks.md; the lines between the marks are shown there. */
final class ShopHealth {
  private ShopHealth() {}

  // docs: begin
  static HealthCheckController<Shop> start(KubernetesClient client) {
    return HealthChecks.of(Shop.class)
        .check(
            "DatabaseHealthy",
            ObjectInCluster.named(StatefulSet.class, shop -> shop.getMetadata().getName() + "-db"))
        .check("FrontDoorOpen", ShopHealth::frontDoor)
        .every(Duration.ofSeconds(30))
        .start(client);
  }

  private static CheckResult frontDoor(CheckRun<Shop> run) {
    String namespace = run.object().getMetadata().getNamespace();
    Service door = run.source().services().inNamespace(namespace).withName("door").get();
    if (door == null) {
      return CheckResult.progressing("Service \"door\" is not there yet", Duration.ofMinutes(5));
    }
    return "LoadBalancer".equals(door.getSpec().getType())
        ? CheckResult.healthy()
        : CheckResult.unhealthy("Service \"door\" is not open to the street");
  }
  // docs: end
}
