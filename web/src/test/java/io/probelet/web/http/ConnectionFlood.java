package io.probelet.web.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Clients that hold connections to a server on loopback and never let it finish with them. */
public final class ConnectionFlood implements AutoCloseable {
  /** The kubelet's probes of issue 37 in one attack. */
  private static final int HEALTH_PROBES = 18;

  /** What detects a hang; far longer than any answer takes. */
  private static final int HANG_MILLIS = 30_000;

  private final int port;
  private final Kind kind;
  private final List<Socket> held = new ArrayList<>();

  /** What each connection sends before it falls silent. */
  public enum Kind {
    SILENT(""),
    OPEN_HEAD("GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Slow: "),
    OPEN_BODY("GET /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n"),
    HALF_BODY("GET /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12345"),
    OPEN_CHUNKS(
        "GET /livez HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n"),
    OPEN_BODY_OF_METRICS("GET /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n"),
    OPEN_HEAD_REQUEST("HEAD /readyz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n"),
    OPEN_POST("POST /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n"),
    OPEN_UNKNOWN("GET /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n"),
    EXPECTS("GET /livez HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n"),
    NEVER_CLOSES("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    NEVER_READS("GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n");

    private final String sent;

    Kind(String sent) {
      this.sent = sent;
    }
  }

  public ConnectionFlood(int port, Kind kind) {
    this.port = port;
    this.kind = kind;
  }

  /** Opens more connections. */
  public void open(int connections) throws IOException {
    for (int i = 0; i < connections; i++) {
      Socket socket = connect(port);
      held.add(socket);
      try {
        socket.getOutputStream().write(kind.sent.getBytes(ISO_8859_1));
      } catch (IOException evicted) {
        // The server closed this one in favor of another.
      }
    }
  }

  /** Asserts that each health probe is answered, while more connections come in between. */
  public void assertHealthIsAnswered() throws IOException {
    for (int i = 0; i < HEALTH_PROBES; i++) {
      assertThat(talk(port, "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"))
          .as("health probe %d during %s", i, kind)
          .startsWith("HTTP/1.1 200 OK\r\n")
          .endsWith("ok\n");
      open(10);
    }
  }

  /** Sends a request on a connection of its own and returns all that comes back. */
  public static String talk(int port, String request) throws IOException {
    try (Socket socket = connect(port)) {
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  private static Socket connect(int port) throws IOException {
    Socket socket = new Socket();
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), HANG_MILLIS);
    socket.setSoTimeout(HANG_MILLIS);
    return socket;
  }

  @Override
  public void close() throws IOException {
    for (Socket socket : held) {
      socket.close();
    }
  }
}
