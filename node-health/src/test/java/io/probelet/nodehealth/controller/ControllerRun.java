package io.probelet.nodehealth.controller;

import com.github.tomakehurst.wiremock.WireMockServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.VirtualTime;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.kube.WireMockFront;
import io.probelet.kube.election.ElectionTiming;
import io.probelet.nodehealth.controller.RemediationReport.CheckReport;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A controller that leads, before an API server. It decides on the test's thread, in virtual time,
 * in which the API server lives, too.
 */
final class ControllerRun implements AutoCloseable {
  final VirtualTime time = new VirtualTime();
  final FakeApiServer api = new FakeApiServer(time.clock());

  /** Fails on demand. */
  final WireMockServer front = WireMockFront.before(api);

  final RemediationCluster cluster = new RemediationCluster(api, time);
  volatile boolean leading = true;
  private final RemediationSettings settings =
      new RemediationSettings("me", RemediationCluster.LEASES, "NodeHealthCheck");
  private final ElectionTiming timing;
  private final KubernetesClient client = WireMockFront.client(front);
  private @Nullable RemediationController controller;

  /** Prepares one as patient as a busy machine may need. */
  ControllerRun() throws IOException {
    this(new ElectionTiming(Duration.ofMinutes(2), Duration.ofMinutes(1), Duration.ofSeconds(2)));
  }

  ControllerRun(ElectionTiming timing) throws IOException {
    this.timing = timing;
  }

  /** Starts a controller, in place of the last one if there is any. */
  void start() {
    stop();
    controller =
        new RemediationController(
            ApiServer.of(client, timing.requestTimeout()),
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
    client.close();
    front.stop();
    api.close();
  }
}
