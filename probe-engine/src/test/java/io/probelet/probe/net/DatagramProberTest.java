package io.probelet.probe.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.dns.DnsType;
import io.probelet.probe.BodyPattern;
import io.probelet.probe.HttpExpectation.BodyRule;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler.Datagram;
import io.probelet.probe.ProbeHandler.Dns;
import io.probelet.probe.ProbeHandler.UdpSocket;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Cause;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.rule.BodyRuleThreads;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Probes by UDP against real sockets: DNS (H-15) and any other protocol (H-16). */
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
class DatagramProberTest {
  @RegisterExtension static final Probing PROBING = new Probing();

  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
  private static final Duration SHORT = Duration.ofMillis(300);

  private final DatagramProber prober =
      new DatagramProber(
          PROBING.dialer(), new BodyRuleThreads(), EchoExchangeTest.NONE, new Random(1));

  private Verdict probe(Datagram handler, Duration timeout) {
    return PROBING
        .outcome(done -> prober.probe(handler, Probing.target(), timeout, done))
        .verdict();
  }

  /** A server that answers each datagram with others. */
  private record Server(DatagramSocket socket) implements AutoCloseable {
    static Server answering(Function<byte[], List<byte[]>> answers) throws IOException {
      DatagramSocket socket = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0));
      Thread.ofVirtual()
          .start(() -> {
            byte[] bytes = new byte[2_048];
            while (!socket.isClosed()) {
              try {
                DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
                socket.receive(packet);
                byte[] question = Arrays.copyOf(bytes, packet.getLength());
                for (byte[] answer : answers.apply(question)) {
                  socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                }
              } catch (IOException closed) {
                return;
              }
            }
          });
      return new Server(socket);
    }

    int port() {
      return socket.getLocalPort();
    }

    @Override
    public void close() {
      socket.close();
    }
  }

  /** The query with the answer's bits set, and addresses added. */
  private static byte[] answer(byte[] query, int flags, int code, String... addresses) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(query);
    for (String address : addresses) {
      out.writeBytes(new byte[] {(byte) 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4});
      out.writeBytes(InetAddress.ofLiteral(address).getAddress());
    }
    byte[] answer = out.toByteArray();
    answer[2] |= (byte) (0x80 | flags);
    answer[3] = (byte) code;
    answer[7] = (byte) addresses.length;
    return answer;
  }

  private static Dns dns(int port, String... answers) {
    return new Dns(
        new Port.Numeric(port),
        null,
        "shop.example",
        DnsType.A,
        List.of("NOERROR"),
        List.of(answers),
        false);
  }

  @Test
  @DisplayName("H-15 the response code and the expected answers decide")
  void answers() throws Exception {
    try (Server server = Server.answering(q -> List.of(answer(q, 0, 0, "10.0.0.1", "10.0.0.2")))) {
      assertThat(probe(dns(server.port(), "10.0.0.2"), Probing.TIMEOUT))
          .isEqualTo(new Success("10.0.0.1, 10.0.0.2"));
      Verdict other = probe(dns(server.port(), "10.0.0.3"), Probing.TIMEOUT);
      assertThat(other.text())
          .isEqualTo("DNS probe failed: the answer for shop.example (A) does not have 10.0.0.3");
      assertThat(((Failure) other).cause()).isEqualTo(Cause.EXPECT);
    }
    try (Server server = Server.answering(q -> List.of(answer(q, 0, 3)))) {
      Verdict verdict = probe(dns(server.port()), Probing.TIMEOUT);
      assertThat(verdict.text())
          .isEqualTo("DNS probe failed: NXDOMAIN for shop.example (A), expected NOERROR");
      assertThat(((Failure) verdict).cause()).isEqualTo(Cause.STATUS);
    }
    try (Server server = Server.answering(q -> List.of(answer(q, 0, 0)))) {
      assertThat(probe(dns(server.port()), Probing.TIMEOUT).text())
          .isEqualTo("DNS probe failed: no record for shop.example (A)");
    }
  }

  @Test
  @DisplayName("H-15 answers to other queries are passed over, the 17th is a failure")
  void strangers() throws Exception {
    Function<byte[], byte[]> strange =
        query -> {
          byte[] other = answer(query, 0, 0, "6.6.6.6");
          other[0]++;
          return other;
        };
    try (Server server =
        Server.answering(query -> {
          List<byte[]> all = new ArrayList<>();
          for (int i = 0; i < DnsQuestion.MAX_STRANGE; i++) {
            all.add(strange.apply(query));
          }
          all.add(answer(query, 0, 0, "10.0.0.1"));
          return all;
        })) {
      assertThat(probe(dns(server.port()), Probing.TIMEOUT)).isEqualTo(new Success("10.0.0.1"));
    }
    try (Server server =
        Server.answering(query -> {
          List<byte[]> all = new ArrayList<>();
          for (int i = 0; i <= DnsQuestion.MAX_STRANGE; i++) {
            all.add(strange.apply(query));
          }
          return all;
        })) {
      assertThat(probe(dns(server.port()), Probing.TIMEOUT).text())
          .isEqualTo("DNS probe failed: the server answers other questions");
    }
  }

  /** A server on the same port by TCP, which says how long its answer is and sends it. */
  private static ServerSocket tcp(int port, int announced, Function<byte[], byte[]> answers)
      throws IOException {
    ServerSocket listener = new ServerSocket(port, 50, LOOPBACK);
    Thread.ofVirtual()
        .start(() -> {
          try (var socket = listener.accept()) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] query = new byte[in.readUnsignedShort()];
            in.readFully(query);
            byte[] answer = answers.apply(query);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeShort(announced < 0 ? answer.length : announced);
            for (byte each : answer) {
              out.write(each); // in as many pieces as there are bytes
              out.flush();
            }
            in.read();
          } catch (IOException closed) {
            // the prober hung up, as it may
          }
        });
    return listener;
  }

  @Test
  @DisplayName("H-15 a truncated answer is asked for again by TCP, and must not be too long there")
  void truncated() throws Exception {
    try (Server server = Server.answering(q -> List.of(answer(q, 0x02, 0)));
        ServerSocket _ = tcp(server.port(), -1, q -> answer(q, 0, 0, "10.0.0.9"))) {
      assertThat(probe(dns(server.port()), Probing.TIMEOUT)).isEqualTo(new Success("10.0.0.9"));
    }
    try (Server server = Server.answering(q -> List.of(answer(q, 0x02, 0)));
        ServerSocket _ = tcp(server.port(), 0xffff, q -> answer(q, 0, 0))) {
      assertThat(probe(dns(server.port()), Probing.TIMEOUT).text())
          .isEqualTo("DNS probe failed: an answer of more than 16 KiB");
    }
    try (Server server = Server.answering(q -> List.of(answer(q, 0x02, 0)))) {
      assertThat(probe(dns(server.port()), Probing.TIMEOUT).text())
          .isEqualTo("dial tcp 127.0.0.1:" + server.port() + ": connect: connection refused");
    }
  }

  @Test
  @DisplayName("H-15 an answer that breaks off is malformed")
  void malformed() throws Exception {
    try (Server server =
        Server.answering(q -> {
          byte[] whole = answer(q, 0, 0, "10.0.0.1");
          return List.of(Arrays.copyOf(whole, whole.length - 1));
        })) {
      Verdict verdict = probe(dns(server.port()), Probing.TIMEOUT);
      assertThat(verdict.text()).isEqualTo("DNS probe failed: malformed answer");
      assertThat(((Failure) verdict).cause()).isEqualTo(Cause.ANSWER);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static UdpSocket udp(int port, String send, BodyRule... rules) {
    return new UdpSocket(new Port.Numeric(port), null, send, List.of(rules));
  }

  @Test
  @DisplayName("H-16 a datagram, and the first that comes back")
  void udp() throws Exception {
    BodyRule starts = new BodyRule.Matches(BodyPattern.of("^pong"));
    try (Server server =
        Server.answering(
            query -> List.of(bytes("pong " + new String(query, StandardCharsets.UTF_8))))) {
      assertThat(probe(udp(server.port(), "ping", starts), Probing.TIMEOUT))
          .isEqualTo(new Success("pong ping"));
      assertThat(probe(udp(server.port(), "ping"), Probing.TIMEOUT).healthy()).isTrue();
      Verdict verdict =
          probe(udp(server.port(), "ping", new BodyRule.Contains("up")), Probing.TIMEOUT);
      assertThat(verdict.text()).isEqualTo("UDP probe failed: answer does not contain \"up\"");
      assertThat(((Failure) verdict).cause()).isEqualTo(Cause.EXPECT);
    }
  }

  @Test
  @DisplayName("H-16 silence is a timeout, and a closed port a failure that the kernel reports")
  void silence() throws Exception {
    try (Server server = Server.answering(query -> List.of())) {
      Verdict verdict = probe(udp(server.port(), "ping"), SHORT);
      assertThat(verdict.text()).isEqualTo("read udp 127.0.0.1:" + server.port() + ": i/o timeout");
      assertThat(((Failure) verdict).cause()).isEqualTo(Cause.TIMEOUT);
    }
    int closed;
    try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(LOOPBACK, 0))) {
      closed = socket.getLocalPort();
    }
    assertThat(probe(udp(closed, "ping"), Probing.TIMEOUT).text())
        .isEqualTo("read udp 127.0.0.1:" + closed + ": read: connection refused");
  }

  @Test
  @DisplayName("H-16 of a datagram 10 KiB are looked at")
  void large() throws Exception {
    String text = "a".repeat(Verdict.OUTPUT_LIMIT);
    try (Server server = Server.answering(query -> List.of(bytes(text + "z")))) {
      assertThat(probe(udp(server.port(), "ping", new BodyRule.Contains("z")), Probing.TIMEOUT))
          .isEqualTo(new Failure("UDP probe failed: answer does not contain \"z\""));
    }
  }
}
