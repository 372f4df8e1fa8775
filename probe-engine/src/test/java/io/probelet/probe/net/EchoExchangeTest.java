package io.probelet.probe.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Socket;
import io.probelet.probe.ProbeHandler.Icmp;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.rule.BodyRuleThreads;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Echo requests (H-21) to targets that a test can script: a UDP socket stands in for that of ICMP.
 * The agent's tests have real ones.
 */
class EchoExchangeTest {
  /** Machines without ICMP sockets. */
  static final EchoSockets NONE =
      _ -> {
        throw new EchoSockets.UnavailableException("not allowed here");
      };

  @RegisterExtension static final Probing PROBING = new Probing();

  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final long TOKEN = 0x0123456789abcdefL;

  @BeforeAll
  static void onLinux() {
    Assumptions.assumeTrue(Epoll.isAvailable(), "ICMP sockets are opened with epoll only");
  }

  private static Verdict echo(int port, EchoSockets sockets, Duration timeout) {
    Endpoint endpoint = new Endpoint(LOOPBACK.getHostAddress(), port);
    return PROBING
        .outcome(done ->
            new EchoExchange(PROBING.dialer(), sockets, endpoint, TOKEN).begin(timeout, done))
        .verdict();
  }

  /** Has a target answer the request with these messages. */
  private static Verdict answered(Function<byte[], List<byte[]>> answers, Duration timeout)
      throws IOException {
    try (DatagramSocket target = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0))) {
      Thread.ofVirtual()
          .start(() -> {
            try {
              DatagramPacket packet = new DatagramPacket(new byte[64], 64);
              target.receive(packet);
              byte[] request = Arrays.copyOf(packet.getData(), packet.getLength());
              for (byte[] answer : answers.apply(request)) {
                target.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
              }
            } catch (IOException closed) {
              // the test has ended
            }
          });
      return echo(target.getLocalPort(), _ -> Socket.newSocketDgram().intValue(), timeout);
    }
  }

  private static byte[] reply(byte[] request) {
    byte[] reply = request.clone();
    reply[0] = 0;
    return reply;
  }

  private static byte[] with(byte[] message, int at, int value) {
    byte[] changed = message.clone();
    changed[at] = (byte) value;
    return changed;
  }

  @Test
  @DisplayName("H-21 the reply to the request is a success, after others that are passed over")
  void reply() throws Exception {
    Verdict verdict =
        answered(
            request ->
                List.of(
                    request, // echoed as it is: a request, not a reply
                    with(reply(request), 15, 1), // of another request
                    new byte[] {0},
                    new byte[0],
                    Arrays.copyOf(reply(request), 17),
                    reply(request)),
            Probing.TIMEOUT);
    assertThat(verdict).isInstanceOf(Success.class);
    assertThat(verdict.text()).startsWith("echo reply from 127.0.0.1");
  }

  @Test
  @DisplayName("H-21 more than 16 other messages are a failure")
  void strangers() throws Exception {
    Function<byte[], List<byte[]>> flood =
        request -> Stream.generate(() -> request).limit(EchoExchange.MAX_STRANGE + 1).toList();
    assertThat(answered(flood, Probing.TIMEOUT).text())
        .isEqualTo("ICMP probe failed: more than 16 messages that are no reply to the request");
    Function<byte[], List<byte[]>> most =
        request ->
            Stream.concat(
                    Stream.generate(() -> request).limit(EchoExchange.MAX_STRANGE),
                    Stream.of(reply(request)))
                .toList();
    assertThat(answered(most, Probing.TIMEOUT)).isInstanceOf(Success.class);
  }

  @Test
  @DisplayName("H-21 silence is a timeout")
  void silence() throws Exception {
    Verdict verdict = answered(_ -> List.of(), SHORT);
    assertThat(verdict).isInstanceOf(Failure.class);
    assertThat(((Failure) verdict).definite()).isFalse();
    assertThat(verdict.text()).contains("i/o timeout");
  }

  @Test
  @DisplayName("H-21 a host that the kernel reports as unreachable is a failure")
  void unreachable() throws Exception {
    int closed;
    try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0))) {
      closed = socket.getLocalPort();
    }
    Verdict verdict = echo(closed, _ -> Socket.newSocketDgram().intValue(), Probing.TIMEOUT);
    assertThat(verdict).isInstanceOf(Failure.class);
    assertThat(verdict.text())
        .isEqualTo("read icmp 127.0.0.1:" + closed + ": read: connection refused");
  }

  @Test
  @DisplayName("H-21, W-4 without a socket the probe says nothing about the target")
  void noSocket() {
    DatagramProber prober =
        new DatagramProber(PROBING.dialer(), new BodyRuleThreads(), NONE, new Random(1));
    Verdict verdict =
        PROBING
            .outcome(done -> prober.probe(new Icmp(null), Probing.target(), Probing.TIMEOUT, done))
            .verdict();
    assertThat(verdict)
        .isEqualTo(
            new ProberError(Reason.BAD_TARGET, "dial icmp 127.0.0.1: connect: not allowed here"));
    EchoSockets exhausted =
        _ -> {
          throw new IllegalStateException("socket failed: error(-24)");
        };
    assertThat(echo(1, exhausted, Probing.TIMEOUT))
        .isEqualTo(
            new ProberError(
                Reason.LOCAL_SHORTAGE, "dial icmp 127.0.0.1:1: connect: too many open files"));
  }
}
