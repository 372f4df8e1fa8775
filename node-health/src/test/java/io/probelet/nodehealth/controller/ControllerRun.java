package io.probelet.nodehealth.controller;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.probelet.health.ManualClock;
import io.probelet.health.SystemClock;
import io.probelet.health.VirtualTime;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.ElectionTiming;
import io.probelet.nodehealth.controller.RemediationReport.CheckReport;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A controller that leads, before a mocked API server. It decides on the test's thread, in virtual
 * time that begins now, as the mocked server's objects are created now.
 */
final class ControllerRun implements AutoCloseable {
  final VirtualTime time = new VirtualTime(new ManualClock(SystemClock.INSTANCE.wallTime()));
  final Town town;
  volatile boolean leading = true;
  private final RemediationSettings settings;
  private final Front front;
  private final KubernetesClient through;
  private @Nullable RemediationController controller;

  /**
   * Prepares.
   *
   * @param rest who gets everything but watches
   */
  ControllerRun(KubernetesClient client, String watches, String rest) throws IOException {
    // As patient as a busy machine may need.
    this(
        client,
        watches,
        rest,
        new ElectionTiming(Duration.ofMinutes(2), Duration.ofMinutes(1), Duration.ofSeconds(2)));
  }

  ControllerRun(KubernetesClient client, String watches, String rest, ElectionTiming timing)
      throws IOException {
    settings = new RemediationSettings("me", "default", Town.LEASES, "NodeHealthCheck", timing);
    front = new Front(watches, rest);
    town = new Town(client, time);
    through =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(client.getConfiguration()).withMasterUrl(front.url()).build())
            .build();
  }

  /** Starts a controller, in place of the last one if there is any. */
  void start() {
    stop();
    controller =
        new RemediationController(
            ApiServer.of(through, settings.requestTimeout()),
            settings,
            Duration.ofMillis(50),
            time.clock(),
            new Random(1),
            RemediationListener.NONE,
            () -> leading,
            time.loop("remediation"));
  }

  void stop() {
    if (controller != null) {
      controller.close();
      controller = null;
    }
  }

  /** Whether a watch of a resource, given in the plural, is open. */
  boolean isWatched(String resource) {
    return front.tellsOf(resource);
  }

  /** How many nodes it selects; 0 also while it is not known. */
  int observed(String check) {
    return report(check).map(CheckReport::observedNodes).orElse(0);
  }

  Optional<CheckReport> report(String check) {
    CompletableFuture<RemediationReport> report = controller.report();
    time.runDue();
    return report.join().checks().stream().filter(one -> one.name().equals(check)).findFirst();
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
    stop();
    through.close();
    front.close();
  }
}
