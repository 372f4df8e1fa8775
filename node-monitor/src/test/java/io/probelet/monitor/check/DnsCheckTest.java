package io.probelet.monitor.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.monitor.check.NodeCheckResult.Problem;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DnsCheckTest {
  @TempDir Path root;
  private PretendedNode node;
  private DatagramSocket server;
  private final AtomicReference<String> asked = new AtomicReference<>("");
  private volatile int code;
  private volatile boolean silent;

  @BeforeEach
  void serve() throws Exception {
    node = new PretendedNode(root);
    server = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().start(this::answer);
  }

  @AfterEach
  void end() {
    server.close();
  }

  private void answer() {
    try {
      while (true) {
        DatagramPacket packet = new DatagramPacket(new byte[512], 512);
        server.receive(packet);
        byte[] message = packet.getData();
        asked.set(HexFormat.of().formatHex(message, 2, packet.getLength()));
        message[2] |= (byte) 0x80;
        message[3] = (byte) (0x80 | code);
        if (!silent) {
          message[0]++; // somebody else's answer, which is passed over
          server.send(packet);
          message[0]--;
          server.send(packet);
        }
      }
    } catch (IOException closed) {
      return; // by the end of the test
    }
  }

  private NodeCheckResult run(String name) throws Exception {
    return run(name, Duration.ofMinutes(1));
  }

  private NodeCheckResult run(String name, Duration timeout) throws Exception {
    return new DnsCheck(name, node.machine(), server.getLocalPort(), timeout).run();
  }

  @Test
  @DisplayName("B-9 DNS: any answer is accepted, unless a name is configured")
  void answers() throws Exception {
    node.file("/etc/resolv.conf", "# by hand\nsearch x\n nameserver 127.0.0.1\n");
    code = 5;
    assertThat(run("")).isEqualTo(NodeCheckResult.OK);
    assertThat(asked.get()).isEqualTo("0100" + "0001000000000000" + "00" + "0002" + "0001");
    assertThat(run("example.org."))
        .isEqualTo(new Problem("DNS server 127.0.0.1 answered REFUSED for example.org."));
    assertThat(asked.get())
        .isEqualTo("0100000100000000" + "0000" + "076578616d706c65" + "036f7267" + "0000010001");
    code = 0;
    assertThat(run("example.org")).isEqualTo(NodeCheckResult.OK);
  }

  @Test
  @DisplayName("B-9 DNS: the next server is queried when one does not answer")
  void silent() throws Exception {
    silent = true;
    node.file("/etc/resolv.conf", "nameserver 127.0.0.1\nnameserver 127.0.0.99\n");
    assertThat(run("", Duration.ofMillis(500)))
        .isEqualTo(
            new Problem(
                "DNS server 127.0.0.1 does not answer, DNS server 127.0.0.99 refuses connections"));
    silent = false;
    node.file("/etc/resolv.conf", "nameserver 127.0.0.99\nnameserver 127.0.0.1\n");
    assertThat(run("")).isEqualTo(NodeCheckResult.OK);
  }

  @Test
  @DisplayName("B-5 without a nameserver the check fails")
  void noServer() {
    node.file("/etc/resolv.conf", "search x\n");
    assertThatThrownBy(() -> run("")).hasMessage("/etc/resolv.conf lists no nameserver");
  }
}
