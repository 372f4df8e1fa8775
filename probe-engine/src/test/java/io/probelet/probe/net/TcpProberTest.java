package io.probelet.probe.net;

import static io.probelet.probe.TestTimeout.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.net.NetLoop.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TcpProberTest {
  private static final Duration SHORT = Duration.ofMillis(300);

  private final Map<String, CompletableFuture<List<InetAddress>>> names =
      Map.of(
          "both.example", found("::1", "127.0.0.1"),
          "odd.example", found("127.0.0.1"),
          "none.example", CompletableFuture.failedFuture(new UnknownHostException("x")),
          "slow.example", new CompletableFuture<>());
  private @Nullable Probing probing;

  @AfterEach
  void close() {
    if (probing != null) {
      probing.close();
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  @DisplayName("H-8: a connection is success, and nothing is sent")
  void connects(Transport transport) throws Exception {
    BlockingQueue<Object> read = new ArrayBlockingQueue<>(1);
    try (ScriptedServer server = ScriptedServer.start(to -> read.add(firstReadOf(to)))) {
      ProbeOutcome outcome = probe(transport, null, server.port(), Probing.TIMEOUT);
      assertThat(outcome.verdict()).isEqualTo(new Success(""));
      assertThat(outcome.timings().resolved()).isEqualTo(ProbeTimings.NOT_REACHED);
      assertThat(outcome.timings().connected()).isBetween(1L, outcome.timings().total());
      assertThat(outcome.timings().secured()).isEqualTo(ProbeTimings.NOT_REACHED);
      assertThat(outcome.timings().begun()).isZero();
      assertThat(outcome.certificateExpiry()).isEqualTo(ProbeOutcome.NO_CERTIFICATE);
      // On epoll the reset may come before the connection was handed to the server at all.
      Object first = read.poll(transport == Transport.EPOLL ? 100 : 60_000, TimeUnit.MILLISECONDS);
      assertThat(first).isIn("Connection reset", -1, transport == Transport.EPOLL ? null : -1);
    }
  }

  private static Object firstReadOf(ScriptedServer.Connection connection) {
    try {
      return connection.in().read();
    } catch (IOException reset) {
      return reset.getMessage();
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  @DisplayName("H-8, H-6: connection refused is failure and says so")
  void refused(Transport transport) throws Exception {
    try (ClosedPort port = new ClosedPort()) {
      assertThat(probe(transport, null, port.number(), Probing.TIMEOUT).verdict())
          .isEqualTo(
              new Failure("dial tcp 127.0.0.1:" + port.number() + ": connect: connection refused"));
    }
  }

  @Test
  @DisplayName("H-8: IPv6 literals connect")
  void ipv6() throws Exception {
    try (ScriptedServer server = ScriptedServer.start(InetAddress.ofLiteral("::1"), _ -> {})) {
      assertThat(probe(Transport.best(), "::1", server.port(), Probing.TIMEOUT).verdict())
          .isEqualTo(new Success(""));
    }
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  @DisplayName("H-6: a connection that is not answered fails at the timeout")
  void unanswered(Transport transport) throws Exception {
    try (FullBacklog target = new FullBacklog()) {
      probing = new Probing(transport, names::get);
      ProbeOutcome outcome = timedOut(null, target.port());
      assertThat(outcome.verdict())
          .isEqualTo(new Failure("dial tcp 127.0.0.1:" + target.port() + ": i/o timeout"));
    }
  }

  @Test
  @DisplayName("H-6: a name that does not exist is failure")
  void unknownName() {
    assertThat(probe(Transport.best(), "none.example", 80, Probing.TIMEOUT).verdict())
        .isEqualTo(new Failure("dial tcp: lookup none.example: no such host"));
  }

  @Test
  @DisplayName("H-6: a lookup counts into the timeout, and its late answer is dropped")
  void lateName() throws Exception {
    try (ScriptedServer server = ScriptedServer.start(_ -> {})) {
      probing = new Probing(Transport.best(), names::get);
      ProbeOutcome outcome = timedOut("slow.example", server.port());
      assertThat(outcome.verdict())
          .isEqualTo(new Failure("dial tcp: lookup slow.example: i/o timeout"));

      names.get("slow.example").complete(List.of(InetAddress.ofLiteral("127.0.0.1")));
      probe("127.0.0.1", server.port(), Probing.TIMEOUT);
      assertThat(server.accepted()).isLessThanOrEqualTo(1);
    }
  }

  @Test
  @DisplayName("a name is resolved, and that phase has its time")
  void resolves() throws Exception {
    try (ScriptedServer server = ScriptedServer.start(_ -> {})) {
      ProbeOutcome outcome = probe(Transport.best(), "odd.example", server.port(), Probing.TIMEOUT);
      assertThat(outcome.verdict()).isEqualTo(new Success(""));
      assertThat(outcome.timings().resolved()).isBetween(1L, outcome.timings().connected());
    }
  }

  @Test
  @DisplayName("the next address of a name is tried when one refuses")
  void nextAddress() throws Exception {
    try (ScriptedServer server = ScriptedServer.start(_ -> {})) {
      assertThat(probe(Transport.best(), "both.example", server.port(), Probing.TIMEOUT).verdict())
          .isEqualTo(new Success(""));
    }
  }

  @Test
  @DisplayName("the next address of a name is tried beside one that does not answer")
  void headStart() throws Exception {
    try (FullBacklog silent = new FullBacklog();
        ServerSocket listener =
            new ServerSocket(silent.port(), 50, InetAddress.ofLiteral("127.0.0.2"))) {
      names
          .get("slow.example")
          .complete(
              List.of(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("127.0.0.2")));
      ProbeOutcome outcome =
          probe(Transport.best(), "slow.example", listener.getLocalPort(), Probing.TIMEOUT);
      assertThat(outcome.verdict()).isEqualTo(new Success(""));
      assertThat(Duration.ofNanos(outcome.timings().total()))
          .isBetween(Duration.ofMillis(300), Probing.TIMEOUT.dividedBy(2));
    }
  }

  @Test
  @DisplayName("reports the first failure if every address of a name fails")
  void allAddressesFail() throws Exception {
    try (ClosedPort port = new ClosedPort()) {
      assertThat(probe(Transport.best(), "both.example", port.number(), Probing.TIMEOUT).verdict())
          .isEqualTo(
              new Failure("dial tcp [::1]:" + port.number() + ": connect: connection refused"));
    }
  }

  @Test
  @DisplayName("P-17: a port that is not found is a prober error, given at once")
  void badTarget() {
    probing = new Probing();
    ProbeOutcome outcome =
        probing.outcome(done ->
            new TcpProber(probing.dialer())
                .probe(new TcpSocket(new Port.Named("http"), null), Probing.target(), SHORT, done));
    assertThat(outcome.verdict())
        .isEqualTo(
            new ProberError(
                Reason.BAD_TARGET, "container web has no port named \"http\"; it has none"));
  }

  @Test
  @DisplayName("H-8: each connection is its own, whatever became of the ones before")
  void oneAfterAnother() throws Exception {
    probing = new Probing(Transport.best(), names::get);
    Success connected = new Success("");
    try (ScriptedServer one = ScriptedServer.start(to -> to.send("220 welcome"));
        ScriptedServer other = ScriptedServer.start(to -> to.in().read());
        ScriptedServer ipv6 = ScriptedServer.start(InetAddress.ofLiteral("::1"), _ -> {});
        ClosedPort closed = new ClosedPort()) {
      Failure refused =
          new Failure("dial tcp 127.0.0.1:" + closed.number() + ": connect: connection refused");
      for (int round = 0; round < 3; round++) {
        assertThat(probe(null, one.port(), Probing.TIMEOUT).verdict()).isEqualTo(connected);
        assertThat(probe(null, closed.number(), Probing.TIMEOUT).verdict()).isEqualTo(refused);
        assertThat(probe("::1", ipv6.port(), Probing.TIMEOUT).verdict()).isEqualTo(connected);
        assertThat(probe(null, other.port(), Probing.TIMEOUT).verdict()).isEqualTo(connected);
        assertThat(probe(null, closed.number(), Probing.TIMEOUT).verdict()).isEqualTo(refused);
      }
      assertThat(Sockets.statesOfClientsTo(one.port())).isEmpty();
      assertThat(Sockets.statesOfClientsTo(other.port())).isEmpty();
    }
  }

  @Test
  @DisplayName("no TIME_WAIT and no open socket is left behind")
  void leavesNothing() throws Exception {
    try (ScriptedServer server = ScriptedServer.start(to -> to.in().read())) {
      assertThat(probe(Transport.best(), null, server.port(), Probing.TIMEOUT).verdict().healthy())
          .isTrue();
      await().until(() -> server.open() == 0);
      long before = Sockets.openFiles();
      for (int i = 0; i < 200; i++) {
        assertThat(probe(null, server.port(), Probing.TIMEOUT).verdict().healthy()).isTrue();
      }
      assertThat(Sockets.statesOfClientsTo(server.port())).isEmpty();
      // The server may still have connections to accept that are gone already.
      await().untilAsserted(() -> assertThat(Sockets.openFiles()).isLessThan(before + 10));
    }
  }

  private ProbeOutcome probe(
      Transport transport, @Nullable String host, int port, Duration timeout) {
    probing = new Probing(transport, names::get);
    return probe(host, port, timeout);
  }

  private ProbeOutcome probe(@Nullable String host, int port, Duration timeout) {
    ProbeTarget target = Probing.target();
    TcpSocket handler = new TcpSocket(new Port.Numeric(port), host);
    TcpProber prober = new TcpProber(probing.dialer());
    return probing.outcome(done -> prober.probe(handler, target, timeout, done));
  }

  /** Probes something that holds out for longer than a probe. */
  private ProbeOutcome timedOut(@Nullable String host, int port) {
    TcpSocket handler = new TcpSocket(new Port.Numeric(port), host);
    TcpProber prober = new TcpProber(probing.dialer());
    ProbeOutcome outcome =
        probing.outcomeInTime(SHORT, done -> prober.probe(handler, Probing.target(), SHORT, done));
    assertThat(Duration.ofNanos(outcome.timings().total())).isGreaterThanOrEqualTo(SHORT);
    return outcome;
  }

  private static CompletableFuture<List<InetAddress>> found(String... addresses) {
    return CompletableFuture.completedFuture(
        Arrays.stream(addresses).map(InetAddress::ofLiteral).toList());
  }

  /** Listens and never accepts, its queue full: the kernel drops whoever wants to connect. */
  private static final class FullBacklog implements AutoCloseable {
    private final ServerSocket listener =
        new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
    private final List<SocketChannel> waiting = new ArrayList<>();

    FullBacklog() throws IOException {
      for (int i = 0; i < 8; i++) {
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.connect(listener.getLocalSocketAddress());
        waiting.add(channel);
      }
      // One more than asked for, as the kernel counts; then it is full.
      await().until(() -> Sockets.waitingToBeAccepted(port()) == 2);
    }

    int port() {
      return listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      for (SocketChannel channel : waiting) {
        channel.close();
      }
      listener.close();
    }
  }
}
