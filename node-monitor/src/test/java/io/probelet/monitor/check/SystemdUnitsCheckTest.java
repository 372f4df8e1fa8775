package io.probelet.monitor.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.probelet.monitor.availability.UnavailableException;
import io.probelet.monitor.bus.SystemBus;
import io.probelet.monitor.check.NodeCheckResult.Problem;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class SystemdUnitsCheckTest {
  private static final byte RETURN = 2;
  private static final byte SIGNAL = 4;

  @TempDir Path root;
  private PretendedNode node;
  private Path socket;
  private ServerSocketChannel listening;
  private final List<SystemBus.Unit> units = new ArrayList<>();
  private volatile ByteOrder order = ByteOrder.LITTLE_ENDIAN;

  @BeforeEach
  void listen() throws Exception {
    node = new PretendedNode(root);
    socket = node.file("/run/dbus/x", "").seen("/run/dbus/system_bus_socket");
    listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
  }

  @AfterEach
  void end() throws Exception {
    listening.close();
  }

  private void serve() throws Exception {
    listening.bind(UnixDomainSocketAddress.of(socket));
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            while (true) {
              converse(listening.accept());
            }
          } catch (IOException closed) {
            return; // by the end of the test
          }
        });
  }

  /** A bus on which only systemd lives. */
  private void converse(SocketChannel client) throws IOException {
    try (client) {
      receive(client); // greeting
      send(client, "DATA\r\nOK 0123456789abcdef\r\n".getBytes(StandardCharsets.US_ASCII));
      receive(client); // BEGIN, and Hello with it or after it
      int replies = 0;
      send(client, message(SIGNAL, 99, ByteBuffer.allocate(0)));
      while (replies < 2) {
        ByteBuffer body = ByteBuffer.allocate(4096).order(order);
        if (replies == 0) {
          text(body, ":1.7");
        } else {
          array(body);
        }
        replies++;
        send(client, message(RETURN, replies, body.flip()));
        if (replies < 2) {
          receive(client);
        }
      }
      receive(client);
    }
  }

  private static void receive(SocketChannel client) throws IOException {
    ByteBuffer some = ByteBuffer.allocate(4096);
    client.read(some);
    if (some.position() == 7) { // BEGIN came alone
      client.read(some);
    }
  }

  private static void send(SocketChannel client, byte[] bytes) throws IOException {
    ByteBuffer all = ByteBuffer.wrap(bytes);
    while (all.hasRemaining()) {
      client.write(all);
    }
  }

  private byte[] message(byte type, int to, ByteBuffer body) {
    ByteBuffer out = ByteBuffer.allocate(8192).order(order);
    out.put((byte) (order == ByteOrder.LITTLE_ENDIAN ? 'l' : 'B')).put(type);
    out.put((byte) 0).put((byte) 1).putInt(body.remaining()).putInt(5).putInt(0);
    out.put((byte) 5).put((byte) 1).put((byte) 'u').put((byte) 0).putInt(to);
    out.put((byte) 7).put((byte) 1).put((byte) 's').put((byte) 0);
    text(out, "org.freedesktop.DBus");
    if (type == RETURN) {
      align(out, 8);
      String signature = to == 1 ? "s" : "a(ssssssouso)";
      out.put((byte) 8).put((byte) 1).put((byte) 'g').put((byte) 0);
      out.put((byte) signature.length()).put(signature.getBytes(StandardCharsets.US_ASCII));
      out.put((byte) 0);
    }
    out.putInt(12, out.position() - 16);
    align(out, 8);
    out.put(body);
    byte[] bytes = new byte[out.position()];
    out.flip().get(bytes);
    return bytes;
  }

  private void array(ByteBuffer out) {
    out.putInt(0);
    align(out, 8);
    int start = out.position();
    for (SystemBus.Unit unit : units) {
      align(out, 8);
      for (String each :
          List.of(unit.name(), "Some unit", unit.load(), unit.active(), "sub", "", "/o/1")) {
        text(out, each);
      }
      align(out, 4);
      out.putInt(0);
      text(out, "");
      text(out, "/");
    }
    out.putInt(0, out.position() - start);
  }

  private static void text(ByteBuffer out, String text) {
    align(out, 4);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putInt(bytes.length).put(bytes).put((byte) 0);
  }

  private static void align(ByteBuffer buffer, int to) {
    buffer.position(Math.ceilDiv(buffer.position(), to) * to);
  }

  private NodeCheckResult run(String... names) throws Exception {
    return new SystemdUnitsCheck(List.of(names), node.machine()).run();
  }

  @Test
  @DisplayName("B-9 units: configured units must be active; default units must not have failed")
  void states() throws Exception {
    serve();
    units.add(new SystemBus.Unit("kubelet.service", "loaded", "active", 0));
    units.add(new SystemBus.Unit("crio.service", "not-found", "inactive", 0));
    assertThat(run()).isEqualTo(NodeCheckResult.OK);
    assertThat(run("kubelet.service", "crio.service"))
        .isEqualTo(new Problem("crio.service is not found"));
    order = ByteOrder.BIG_ENDIAN;
    units.set(0, new SystemBus.Unit("kubelet.service", "loaded", "failed", 0));
    assertThat(run()).isEqualTo(new Problem("kubelet.service is failed"));
    units.set(0, new SystemBus.Unit("kubelet.service", "loaded", "activating", 0));
    units.remove(1);
    assertThat(run("kubelet.service")).isEqualTo(NodeCheckResult.OK);
  }

  @Test
  @DisplayName("B-5, B-17 without a bus the check is unavailable")
  void noBus() {
    node.file("/proc/1/stat", "1 (init) S 0");
    assertThatThrownBy(this::run)
        .isInstanceOf(UnavailableException.class)
        .hasMessage("no D-Bus socket at " + socket);
    node.file("/run/dbus/system_bus_socket", "");
    assertThatThrownBy(this::run)
        .as("it is there, and broken")
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(UnavailableException.class)
        .hasMessageStartingWith("cannot connect to " + socket);
  }

  @Test
  @DisplayName("B-17 without any default unit the check is unavailable")
  void noneOfThem() throws Exception {
    serve();
    units.add(new SystemBus.Unit("kubelet.service", "not-found", "inactive", 0));
    assertThatThrownBy(this::run)
        .isInstanceOf(UnavailableException.class)
        .hasMessageStartingWith("systemd has none of the units kubelet.service, ");
    assertThat(run("kubelet.service")).isEqualTo(new Problem("kubelet.service is not found"));
  }

  @Test
  @DisplayName("B-9 a real bus accepts our handshake and call, and its error is read")
  void realBus() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/dbus-daemon")), "takes dbus-daemon");
    Process bus =
        new ProcessBuilder(
                "/usr/bin/dbus-daemon", "--session", "--nofork", "--address=unix:path=" + socket)
            .inheritIO()
            .start();
    try {
      await() // its socket is there before anybody listens
          .untilAsserted(() ->
              assertThatThrownBy(this::run)
                  .isInstanceOf(UnavailableException.class)
                  .hasMessageStartingWith("ListUnitsByNames: org.freedesktop.")
                  .hasMessageContaining("org.freedesktop.systemd1"));
    } finally {
      bus.destroyForcibly().waitFor();
    }
  }
}
