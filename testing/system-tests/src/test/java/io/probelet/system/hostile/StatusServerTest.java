package io.probelet.system.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who can reach the status server of the agent, or have a browser reach it, and means harm. */
@Timeout(240)
class StatusServerTest {
  private static HostileAgent shared;

  @BeforeAll
  static void start(@TempDir Path home) throws IOException {
    shared = new HostileAgent(home, "none");
  }

  @AfterAll
  static void stop() {
    shared.close();
  }

  @Test
  @DisplayName("hundreds of silent and slow connections do not keep the kubelet from asking")
  void slow() throws IOException {
    List<Socket> attack = new ArrayList<>();
    try {
      for (int i = 0; i < 400; i++) {
        Socket socket = connect();
        attack.add(socket);
        if (i % 2 == 0) {
          socket.getOutputStream().write("GET /metrics HTTP/1.1\r\nA: ".getBytes(ISO_8859_1));
        }
        if (i % 20 == 0) {
          assertThat(ask("/livez", "127.0.0.1")).startsWith("HTTP/1.1 200");
          assertThat(ask("/readyz", "127.0.0.1")).startsWith("HTTP/1.1 ");
        }
      }
      assertThat(ask("/api/v1/containers", "127.0.0.1")).startsWith("HTTP/1.1 200");
    } finally {
      for (Socket socket : attack) {
        socket.close();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/api/v1/containers", "/api/v1/node", "/metrics", "/livez"})
  @DisplayName("a name that a web page's author owns opens nothing")
  void rebinding(String path) throws IOException {
    assertThat(ask(path, "evil.example:20258")).startsWith("HTTP/1.1 421").contains("http.hosts");
    assertThat(ask(path, "127.0.0.1:20258")).startsWith("HTTP/1.1 200");
  }

  private Socket connect() throws IOException {
    URI address = shared.agent.address();
    Socket socket = new Socket(address.getHost(), address.getPort());
    socket.setSoTimeout(60_000);
    return socket;
  }

  private String ask(String path, String host) throws IOException {
    try (Socket socket = connect()) {
      String request = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }
}
