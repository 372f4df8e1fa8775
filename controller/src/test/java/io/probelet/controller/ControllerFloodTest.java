package io.probelet.controller;

import io.probelet.web.http.ConnectionFlood;
import io.probelet.web.http.ConnectionFlood.Kind;
import java.io.IOException;
import java.nio.file.Path;
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
  private ControllerUnderTest controller;

  @BeforeEach
  void open() throws IOException {
    controller = new ControllerUnderTest(folder);
  }

  @AfterEach
  void close() {
    controller.close();
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
