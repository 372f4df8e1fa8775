package io.probelet.nodehealth.controller;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.ElectionTiming;
import io.probelet.nodehealth.controller.RemediationReport.CheckReport;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A controller that leads, before a mocked API server. */
final class ControllerRun implements AutoCloseable {
  static final RemediationSettings SETTINGS =
      new RemediationSettings(
          "me",
          "default",
          Town.LEASES,
          "NodeHealthCheck",
          // As patient as a busy machine may need.
          new ElectionTiming(Duration.ofMinutes(2), Duration.ofMinutes(1), Duration.ofSeconds(2)));

  final TestClock clock = new TestClock();
  final Town town;
  private final Front front;
  private final KubernetesClient through;
  private @Nullable RemediationController controller;

  /**
   * Prepares.
   *
   * @param rest who gets everything but watches
   */
  ControllerRun(KubernetesClient client, String watches, String rest) throws IOException {
    front = new Front(watches, rest);
    town = new Town(client, clock);
    through =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(client.getConfiguration()).withMasterUrl(front.url()).build())
            .build();
  }

  void start() {
    controller =
        new RemediationController(
            ApiServer.of(through, SETTINGS.patience()),
            SETTINGS,
            Duration.ofMillis(50),
            clock,
            RemediationListener.NONE,
            () -> true);
  }

  /** How many nodes it selects; 0 also while it is not known. */
  int observed(String check) {
    return report(check).map(CheckReport::observedNodes).orElse(0);
  }

  private Optional<CheckReport> report(String check) {
    return controller.report().join().checks().stream()
        .filter(one -> one.name().equals(check))
        .findFirst();
  }

  String hold(String check, String node) {
    return report(check).stream()
        .flatMap(one -> one.nodes().stream())
        .filter(one -> one.name().equals(node))
        .map(one -> one.hold() == null ? "no hold" : one.hold().reason())
        .findFirst()
        .orElse("not listed");
  }

  @Override
  public void close() {
    if (controller != null) {
      controller.close();
    }
    through.close();
    front.close();
  }
}
