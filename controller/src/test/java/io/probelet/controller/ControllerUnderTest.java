package io.probelet.controller;

import io.probelet.controller.remediation.RemediationPart;
import io.probelet.health.SystemClock;
import io.probelet.kube.FakeApiServer;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.nodehealth.workloads.WorkloadSettings;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.scrape.ScrapeSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** A controller with a fake API server. */
final class ControllerUnderTest implements AutoCloseable {
  final FakeApiServer api;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ClusterController controller;

  /**
   * Starts it.
   *
   * @param folder for its files
   * @param parts what it leads
   */
  ControllerUnderTest(Path folder, String... parts) throws IOException {
    api = new FakeApiServer();
    Path kubeconfig = Files.writeString(folder.resolve("config"), api.kubeconfig());
    ListenAddress anywhere = new ListenAddress("127.0.0.1", 0);
    controller =
        new ClusterController(
            "one",
            "1",
            "probelet-system",
            anywhere,
            ScrapeSettings.OFF,
            new ClusterAccess(kubeconfig, SystemClock.INSTANCE),
            new ControllerSettings(
                Arrays.stream(parts).map(ControllerPart::parse).toList(),
                new RemediationPart.Settings("leases", "NodeHealthCheck", anywhere, folder),
                List.of(),
                new WorkloadSettings(List.of("a", "b", "c"), Duration.ofMinutes(5), 3, 60)),
            ControllerPorts.ofMachine());
  }

  ListenAddress address() {
    return controller.address();
  }

  String get(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address() + path)).build();
    return http.send(request, BodyHandlers.ofString()).body();
  }

  @Override
  public void close() {
    controller.close();
    api.close();
    http.close();
  }
}
