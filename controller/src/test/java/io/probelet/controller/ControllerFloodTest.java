package io.probelet.controller;

import io.probelet.controller.remediation.RemediationPart;
import io.probelet.health.SystemClock;
import io.probelet.kube.FakeApiServer;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.web.http.ConnectionFlood;
import io.probelet.web.http.ConnectionFlood.Kind;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.scrape.ScrapeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The controller's server during a flood of connections, as the kubelet sees it. */
@Timeout(120)
class ControllerFloodTest {
  @TempDir private Path folder;
  private FakeApiServer api;
  private ClusterController controller;

  @BeforeEach
  void open() throws IOException {
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
                List.of(),
                new RemediationPart.Settings("leases", "NodeHealthCheck", anywhere, folder),
                List.of()),
            ControllerPorts.ofMachine());
  }

  @AfterEach
  void close() {
    controller.close();
    api.close();
  }

  @ParameterizedTest
  @EnumSource
  void kubeletIsAnsweredDuring160Connections(Kind kind) throws IOException {
    flood(kind, 160);
  }

  @ParameterizedTest
  @EnumSource
  void kubeletIsAnsweredDuring1000Connections(Kind kind) throws IOException {
    flood(kind, 1000);
  }

  private void flood(Kind kind, int connections) throws IOException {
    try (ConnectionFlood flood = new ConnectionFlood(controller.address().port(), kind)) {
      flood.open(connections);
      flood.assertHealthIsAnswered();
    }
  }
}
