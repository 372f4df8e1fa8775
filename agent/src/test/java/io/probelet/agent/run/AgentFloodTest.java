package io.probelet.agent.run;

import io.probelet.health.SystemClock;
import io.probelet.probe.service.ProbeService;
import io.probelet.probe.service.SocketNetwork;
import io.probelet.web.http.ConnectionFlood;
import io.probelet.web.http.ConnectionFlood.Kind;
import io.probelet.web.http.HttpServers;
import io.probelet.web.http.ListenAddress;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The agent's own server during a flood of connections, as the kubelet sees it. */
@Timeout(120)
class AgentFloodTest {
  private ProbeService service;
  private Endpoints endpoints;

  @BeforeEach
  void open() throws IOException {
    service =
        ProbeService.builder()
            .network(SocketNetwork.start(2, SystemClock.INSTANCE))
            .runtime(new FakeRuntime())
            .start();
    endpoints =
        Endpoints.open(
            service,
            HttpServers.start(SystemClock.INSTANCE),
            new ListenAddress("127.0.0.1", 0),
            Set::of,
            Optional.empty(),
            SystemClock.INSTANCE);
  }

  @AfterEach
  void close() {
    endpoints.close();
    service.close();
  }

  @ParameterizedTest
  @EnumSource
  void kubeletIsAnsweredDuring160Connections(Kind kind) throws IOException {
    flood(endpoints.address().port(), kind, 160);
  }

  @ParameterizedTest
  @EnumSource
  void kubeletIsAnsweredDuring1000Connections(Kind kind) throws IOException {
    flood(endpoints.address().port(), kind, 1000);
  }

  private static void flood(int port, Kind kind, int connections) throws IOException {
    try (ConnectionFlood flood = new ConnectionFlood(port, kind)) {
      flood.open(connections);
      flood.assertHealthIsAnswered();
    }
  }
}
