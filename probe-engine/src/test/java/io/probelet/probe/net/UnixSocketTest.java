package io.probelet.probe.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.HttpExpectation.BodyRule;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeHandler.TcpSocket.Step;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.http.HttpProber;
import io.probelet.probe.net.NetLoop.Transport;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Probes over Unix sockets, with each transport (H-18). */
class UnixSocketTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  private final List<String> heard = new CopyOnWriteArrayList<>();

  @TempDir Path directory;

  /** Answers each connection alike, once it has said something. */
  private ServerSocketChannel serve(Path socket, String answer) throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listener.bind(UnixDomainSocketAddress.of(socket));
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          while (listener.isOpen()) {
            try (SocketChannel client = listener.accept()) {
              ByteBuffer bytes = ByteBuffer.allocate(2_048);
              if (client.read(bytes) > 0) {
                heard.add(new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8));
                client.write(ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8)));
              }
            } catch (IOException ended) {
              // closed, or the prober hung up
            }
          }
        });
    return listener;
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  @DisplayName("H-18 TCP, a dialog and HTTP over a Unix socket; Host is localhost")
  void overUnixSocket(Transport transport) throws Exception {
    Probing probing = new Probing(transport, new SystemNames());
    Path socket = directory.resolve("app.sock");
    Port port = new Port.UnixSocket(socket.toString());
    try (ServerSocketChannel _ = serve(socket, OK)) {
      assertThat(tcp(probing, new TcpSocket(port, null))).isEqualTo(new Success(""));
      Step expected = new Step.Expect(new BodyRule.Contains("200 OK"));
      assertThat(
              tcp(
                  probing,
                  new TcpSocket(port, null, null, List.of(new Step.Send("a\n"), expected))))
          .isEqualTo(new Success("200 OK"));
      assertThat(http(probing, new HttpGet(port, "/healthz"))).isEqualTo(new Success("ok"));
      assertThat(heard.getLast()).startsWith("GET /healthz HTTP/1.1\r\nHost: localhost:80\r\n");
    } finally {
      probing.close();
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  @DisplayName("H-18 a socket that is not there is named, and a redirect leads nowhere")
  void failures(Transport transport) throws Exception {
    Probing probing = new Probing(transport, new SystemNames());
    try {
      Path missing = directory.resolve("missing.sock");
      Verdict verdict = tcp(probing, new TcpSocket(new Port.UnixSocket(missing.toString()), null));
      assertThat(verdict).isInstanceOf(Verdict.Failure.class);
      assertThat(verdict.text()).startsWith("dial unix " + missing + ": connect: ");
      Path socket = directory.resolve("redirecting.sock");
      String away =
          "HTTP/1.1 302 Found\r\nLocation: http://localhost:1/\r\nContent-Length: 0\r\n\r\n";
      try (ServerSocketChannel _ = serve(socket, away)) {
        assertThat(http(probing, new HttpGet(new Port.UnixSocket(socket.toString()), "/")))
            .isInstanceOf(Verdict.Warning.class);
        assertThat(heard).hasSize(1);
      }
    } finally {
      probing.close();
    }
  }

  private static Verdict tcp(Probing probing, TcpSocket handler) {
    TcpProber prober = new TcpProber(probing.dialer());
    return outcome(
        probing.outcome(done -> prober.probe(handler, Probing.target(), Probing.TIMEOUT, done)));
  }

  private static Verdict http(Probing probing, HttpGet handler) {
    HttpProber prober = new HttpProber(probing.dialer(), "");
    return outcome(
        probing.outcome(done -> prober.probe(handler, Probing.target(), Probing.TIMEOUT, done)));
  }

  private static Verdict outcome(ProbeOutcome outcome) {
    return outcome.verdict();
  }
}
