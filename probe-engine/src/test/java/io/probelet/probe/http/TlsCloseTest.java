package io.probelet.probe.http;

import static io.probelet.probe.http.HttpProbing.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.Certificates;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.h2.Frames;
import io.probelet.probe.net.ScriptedServer;
import io.probelet.probe.net.ScriptedServer.Connection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How TLS ends: by a word of its own, whatever becomes of the connection below (H-5, H-7). */
class TlsCloseTest {
  @RegisterExtension static final HttpProbing PROBING = new HttpProbing();

  private static @TempDir Path directory;
  private static SSLContext context;

  @BeforeAll
  static void make() {
    context = new Certificates(directory).server("ca");
  }

  /** Says something under TLS, ends TLS, and leaves the connection below as it is. */
  private static String probe(String version, String protocol, byte[] words) throws Exception {
    try (ScriptedServer server =
        ScriptedServer.start(connection -> {
          SSLSocket tls =
              (SSLSocket)
                  context.getSocketFactory().createSocket(connection.socket(), "client", 0, false);
          tls.setUseClientMode(false);
          tls.setEnabledProtocols(new String[] {version});
          tls.setHandshakeApplicationProtocolSelector((_, _) -> protocol);
          Connection secure =
              new Connection(
                  tls, tls.getInputStream(), tls.getOutputStream(), new CountDownLatch(0));
          if (protocol.equals("h2")) {
            Frames.preface(secure);
            Frames.await(secure, 1);
          } else {
            secure.request();
          }
          Frames.send(secure, words);
          tls.close();
          connection.hang();
        })) {
      return PROBING.verdict(get(server.port(), Scheme.HTTPS, HttpExpectation.KUBELET)).text();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  @DisplayName("H-5 a body until close ends with close_notify, though TCP stays open")
  void untilClose(String version) throws Exception {
    byte[] answer = "HTTP/1.1 200 OK\r\n\r\nbody".getBytes(StandardCharsets.US_ASCII);
    assertThat(probe(version, "http/1.1", answer)).isEqualTo("body");
  }

  @ParameterizedTest
  @CsvSource({
    "'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbody', unexpected EOF",
    "'HTTP/1.1 200 OK\r\n', unexpected EOF",
    "'', EOF"
  })
  @DisplayName("H-6 an answer that close_notify cuts off is a failure, at once")
  void cutOff(String answer, String fault) throws Exception {
    assertThat(probe("TLSv1.3", "http/1.1", answer.getBytes(StandardCharsets.US_ASCII)))
        .endsWith(": " + fault);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  @DisplayName("H-7 a connection of HTTP/2 is over with close_notify")
  void http2(String version) throws Exception {
    byte[] begun = Frames.join(Frames.SETTINGS, Frames.headers(1, false, Frames.STATUS_200));
    assertThat(probe(version, "h2", begun)).endsWith("connection closed by the server");
  }
}
